import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { endMemberSessions, type Member } from '../api/members'
import { Confirm } from '../components/confirm'
import { useSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'

export function EndSessions({ member, onClose }: { member: Member; onClose: () => void }) {
  const { members } = useTexts()
  const saving = useSaving({
    save: () => endMemberSessions(member.id),
    onSaved: () => {
      notifications.show({ message: members.ended(member.email), color: 'green' })
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      title={members.endTitle(member.email)}
      action={members.endSessions}
      saving={saving}
      onConfirm={() => saving.run(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{members.endHint}</Text>
    </Confirm>
  )
}
