import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { membersKey, removeMember, type Member } from '../api/members'
import { useTexts } from '../i18n/texts'
import { Confirm } from '../components/confirm'
import { useSaving } from '../components/saving'

export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const { members } = useTexts()
  const queries = useQueryClient()
  const isInvited = member.status === 'INVITED'
  const saving = useSaving({
    save: () => removeMember(member.id),
    onSaved: () => {
      if (member.isSelf) window.location.assign('/dashboard')
      else void queries.invalidateQueries({ queryKey: membersKey })
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      title={members.removeTitle(member.email)}
      action={isInvited ? members.withdraw : members.remove}
      saving={saving}
      onConfirm={() => saving.run(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{isInvited ? members.withdrawHint : members.removeHint}</Text>
      {member.isSelf && (
        <Text size="sm" fw={600}>
          {members.removeSelf}
        </Text>
      )}
    </Confirm>
  )
}
