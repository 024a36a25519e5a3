import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'

const place = document.getElementById('page')
if (!place) throw new Error('dashboard.html has no #page')
createRoot(place).render(createElement(App))
