import { Alert } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'
import { Icon } from './icon'

export function ReadOnlyNote() {
  const { frame } = useTexts()
  const { role } = useSession()
  return (
    <Alert variant="light" color="gray" mb="md" icon={<Icon name="info" />}>
      {frame.readOnlyRole(frame.roles[role])}
    </Alert>
  )
}
