import type { AddressInfo } from 'node:net'
import express from 'express'

process.once('message', (answer: string) => {
  const app = express()
  app.use(express.json({ limit: '2mb' }))
  app.post('/v1/invoices', (_request, response) => {
    response.status(201).type('json').send(answer)
  })
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port)
  })
})
