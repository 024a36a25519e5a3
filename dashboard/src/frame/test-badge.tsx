import { Badge } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'

/** On every page, so that a test is never mistaken for the real service. */
export function TestBadge() {
  const { frame } = useTexts()
  const { environment } = useSession()
  if (environment !== 'test') return null
  return (
    <Badge
      color="orange"
      variant="light"
      size="lg"
      className="status-chip"
      title={frame.testHint}
      data-environment="test"
    >
      {frame.test}
    </Badge>
  )
}
