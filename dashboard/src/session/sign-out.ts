import { useLocation } from 'wouter'
import { useSaving } from '../components/saving'
import { useSessionState } from './session'

export function useSignOut(onError?: (error: Error) => void) {
  const { end } = useSessionState()
  const [, navigate] = useLocation()
  return useSaving<undefined, void>({
    save: end,
    onSaved: () => navigate('/'),
    ...(onError && { onError }),
  })
}
