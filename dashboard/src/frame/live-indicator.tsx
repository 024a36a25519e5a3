import { Text } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { useIsOnline } from '../components/online'
import { useInvoiceEvents } from '../live/invoice-events'
import classes from './frame.module.css'

export function LiveIndicator() {
  const { frame } = useTexts()
  const { state } = useInvoiceEvents()
  const shown = useIsOnline() ? state : 'offline'
  return (
    <Text size="xs" c="dimmed" className={classes['live']} data-live={shown}>
      {frame.live[shown]}
    </Text>
  )
}
