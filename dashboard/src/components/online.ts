import { useSyncExternalStore } from 'react'

export const useIsOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}
