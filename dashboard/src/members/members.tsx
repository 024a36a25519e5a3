/** The people of the organization: invited, given a role, removed. */

import { roles } from '@einvoicing/domain/role'
import { Badge, Button, Group, NativeSelect, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeRole, membersKey, useMembers, type Member } from '../api/members'
import type { Role } from '../api/session'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { DataTable, type Column } from '../shown/data-table'
import { Icon } from '../shown/icon'
import { Page } from '../shown/page'
import { ReadOnlyNote } from '../shown/read-only-note'
import { sentenceOf } from '../shown/refusal'
import { useSaving } from '../shown/saving'
import { Loaded } from '../shown/states'
import { Invite } from './invite'
import { RemoveMember } from './remove-member'

type Deed = { kind: 'invite' } | { kind: 'renew' | 'remove'; member: Member }

export function Members() {
  const { members } = useTexts()
  const { canManage } = useRights()
  const query = useMembers()
  const [deed, setDeed] = useState<Deed>()
  const stop = () => setDeed(undefined)
  const inviteButton = canManage && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setDeed({ kind: 'invite' })}>
      {members.invite}
    </Button>
  )
  return (
    <Page title={members.title} lead={members.lead} actions={inviteButton}>
      {!canManage && <ReadOnlyNote />}
      <div className="panel">
        <Loaded query={query}>
          {(content) => <MembersTable content={content} onDeed={canManage ? setDeed : undefined} />}
        </Loaded>
      </div>
      {deed && deed.kind !== 'remove' && (
        <Invite isOpen invited={deed.kind === 'renew' ? deed.member : undefined} onClose={stop} />
      )}
      {deed?.kind === 'remove' && <RemoveMember member={deed.member} onClose={stop} />}
    </Page>
  )
}

interface MembersTableProps {
  content: readonly Member[]
  onDeed: ((deed: Deed) => void) | undefined
}

function MembersTable({ content, onDeed }: MembersTableProps) {
  const { members, frame } = useTexts()
  const formats = useFormats()
  const columns: Column<Member>[] = [
    {
      label: members.email,
      cell: ({ email, isSelf }) => (
        <Text inherit fw={600}>
          {email}
          {isSelf && (
            <Text span inherit c="dimmed" fw={400}>
              {` (${members.you})`}
            </Text>
          )}
        </Text>
      ),
    },
    {
      label: members.role,
      cell: (member) => (onDeed ? <RoleChoice member={member} /> : frame.roles[member.role]),
    },
    { label: members.state, cell: (member) => <MemberState member={member} /> },
    { label: members.since, cell: ({ createdAt }) => formats.date(createdAt) },
  ]
  const actions: Column<Member> = {
    label: members.actions,
    cell: (member) => <MemberActions member={member} onDeed={onDeed} />,
  }
  return (
    <DataTable
      caption={members.title}
      columns={onDeed ? [...columns, actions] : columns}
      rows={content}
      keyOf={({ id }) => id}
    />
  )
}

function RoleChoice({ member }: { member: Member }) {
  const texts = useTexts()
  const { members, frame } = texts
  const queries = useQueryClient()
  const saving = useSaving<Role, Member>({
    save: (role) => changeRole(member.id, role),
    onSaved: ({ role }) => {
      void queries.invalidateQueries({ queryKey: membersKey })
      // One's own rights decide what every page offers.
      if (member.isSelf) window.location.reload()
      notifications.show({
        message: members.roleChanged(member.email, frame.roles[role]),
        color: 'green',
      })
    },
    onRefused: (error) =>
      notifications.show({ message: sentenceOf(error, texts), color: 'red', autoClose: false }),
  })
  if (member.status === 'INVITED') return frame.roles[member.role]
  return (
    <NativeSelect
      size="xs"
      aria-label={members.roleOf(member.email)}
      data={roles.toReversed().map((role) => ({ value: role, label: frame.roles[role] }))}
      value={member.role}
      disabled={saving.isSaving}
      onChange={({ currentTarget }) => saving.run(currentTarget.value as Role)}
    />
  )
}

function MemberState({ member }: { member: Member }) {
  const { members } = useTexts()
  const formats = useFormats()
  if (member.status === 'ACTIVE') {
    return (
      <Badge variant="light" color="green" className="status-chip">
        {members.active}
      </Badge>
    )
  }
  const until = member.invitationExpiresAt ?? ''
  const isOver = until !== '' && until < new Date().toISOString()
  return (
    <Badge variant="light" color={isOver ? 'gray' : 'yellow'} className="status-chip">
      {isOver ? members.expired : members.invited(formats.date(until))}
    </Badge>
  )
}

interface MemberActionsProps {
  member: Member
  onDeed: MembersTableProps['onDeed']
}

function MemberActions({ member, onDeed }: MemberActionsProps) {
  const { members } = useTexts()
  const isInvited = member.status === 'INVITED'
  const removal = isInvited ? members.withdraw : members.remove
  return (
    <Group gap="xs" wrap="nowrap">
      {isInvited && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={members.ofMember(members.renew, member.email)}
          onClick={() => onDeed?.({ kind: 'renew', member })}
        >
          {members.renew}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={members.ofMember(removal, member.email)}
        onClick={() => onDeed?.({ kind: 'remove', member })}
      >
        {removal}
      </Button>
    </Group>
  )
}
