import { useTexts } from '../i18n/texts'
import { useIsOnline } from '../components/online'
import classes from './frame.module.css'

export function OfflineBanner() {
  const { frame } = useTexts()
  const isOnline = useIsOnline()
  return (
    <div role="status" className={isOnline ? 'visually-hidden' : classes['offline']}>
      {isOnline ? '' : frame.offline}
    </div>
  )
}
