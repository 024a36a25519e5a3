import { Badge } from '@mantine/core'
import type { InvoiceStatus } from '../api/invoices'
import { useTexts } from '../i18n/texts'
import { Icon, type IconName } from './icon'

const appearances: Record<InvoiceStatus, { color: string; icon: IconName }> = {
  PENDING: { color: 'gray', icon: 'pencil' },
  SIGNED: { color: 'cyan', icon: 'document' },
  TRANSMITTED: { color: 'blue', icon: 'send' },
  ACCEPTED: { color: 'green', icon: 'check' },
  REJECTED: { color: 'red', icon: 'cross' },
  FAILED: { color: 'orange', icon: 'alert' },
  CANCELLED: { color: 'gray', icon: 'ban' },
}

export function StatusChip({ status }: { status: InvoiceStatus }) {
  const texts = useTexts()
  const { color, icon } = appearances[status]
  return (
    <Badge
      className="status-chip"
      color={color}
      variant="light"
      size="lg"
      leftSection={<Icon name={icon} size={13} />}
      title={texts.statuses.hints[status]}
      data-status={status}
    >
      {texts.statuses[status]}
    </Badge>
  )
}
