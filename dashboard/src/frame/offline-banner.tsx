import { useSyncExternalStore } from 'react'
import { useTexts } from '../i18n/texts'
import classes from './frame.module.css'

export function OfflineBanner() {
  const { frame } = useTexts()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className={isOnline ? 'visually-hidden' : classes['offline']}>
      {isOnline ? '' : frame.offline}
    </div>
  )
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}
