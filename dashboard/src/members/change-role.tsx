import { roles } from '@einvoicing/domain/role'
import { NativeSelect, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeRole, membersKey, type Member } from '../api/members'
import type { Role } from '../api/session'
import { Confirm } from '../components/confirm'
import { useSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'

export function ChangeRole({ member }: { member: Member }) {
  const { members, frame } = useTexts()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<Role>(member.role)
  const [isOpen, setIsOpen] = useState(false)
  const saving = useSaving({
    save: () => changeRole(member.id, chosen),
    onSaved: ({ role }) => {
      setIsOpen(false)
      void queries.invalidateQueries({ queryKey: membersKey })
      // The user's own rights decide what every page offers.
      if (member.isSelf) window.location.reload()
      notifications.show({
        message: members.roleChanged(member.email, frame.roles[role]),
        color: 'green',
      })
    },
  })
  const choose = (role: Role) => {
    saving.reset()
    setChosen(role)
    setIsOpen(true)
  }
  return (
    <>
      <NativeSelect
        size="xs"
        miw={132}
        aria-label={members.roleOf(member.email)}
        data={roles.toReversed().map((role) => ({ value: role, label: frame.roles[role] }))}
        value={member.role}
        onChange={({ currentTarget }) => choose(currentTarget.value as Role)}
      />
      <Confirm
        isOpen={isOpen}
        title={members.roleTitle(member.email)}
        action={members.changeRole}
        saving={saving}
        onConfirm={() => saving.run(undefined)}
        onClose={() => setIsOpen(false)}
      >
        <Text size="sm" fw={600}>
          {members.roleChange(frame.roles[member.role], frame.roles[chosen])}
        </Text>
        <Text size="sm">{members.roleHint[chosen]}</Text>
        {member.isSelf && <Text size="sm">{members.roleSelf}</Text>}
      </Confirm>
    </>
  )
}
