import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { sendMemberReset, type Member } from '../api/members'
import { Confirm } from '../components/confirm'
import { useSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'

export function SendReset({ member, onClose }: { member: Member; onClose: () => void }) {
  const { members } = useTexts()
  const saving = useSaving({
    save: () => sendMemberReset(member.id),
    onSaved: () => {
      notifications.show({ message: members.resetSent(member.email), color: 'green' })
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      title={members.resetTitle(member.email)}
      action={members.resetAction}
      color="blue"
      saving={saving}
      onConfirm={() => saving.run(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{members.resetHint}</Text>
    </Confirm>
  )
}
