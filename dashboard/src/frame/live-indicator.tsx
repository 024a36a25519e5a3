import { Text } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { useInvoiceEvents } from '../live/invoice-events'
import classes from './frame.module.css'

export function LiveIndicator() {
  const { frame } = useTexts()
  const { state } = useInvoiceEvents()
  return (
    <Text size="xs" c="dimmed" className={classes['live']} data-live={state}>
      {frame.live[state]}
    </Text>
  )
}
