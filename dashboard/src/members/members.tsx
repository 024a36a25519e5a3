import { Badge, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useMembers, type Member } from '../api/members'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { DataTable, type Column } from '../components/data-table'
import { Icon } from '../components/icon'
import { Page } from '../components/page'
import { ReadOnlyNote } from '../components/read-only-note'
import { Loaded } from '../components/states'
import { ChangeRole } from './change-role'
import { Invite } from './invite'
import { EndSessions } from './end-sessions'
import { RemoveMember } from './remove-member'
import { SendReset } from './send-reset'
import { RequireSecondFactor } from './require-second-factor'

type DialogRequest =
  | { kind: 'invite' }
  | { kind: 'renew' | 'remove' | 'end' | 'reset'; member: Member }

export function Members() {
  const { members } = useTexts()
  const { canManage } = useRights()
  const query = useMembers()
  const [dialog, setDialog] = useState<DialogRequest>()
  const close = () => setDialog(undefined)
  const inviteButton = canManage && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setDialog({ kind: 'invite' })}>
      {members.invite}
    </Button>
  )
  return (
    <Page title={members.title} lead={members.lead} actions={inviteButton}>
      {!canManage && <ReadOnlyNote />}
      <div className="panel">
        <Loaded query={query}>
          {(content) => (
            <MembersTable content={content} onDialog={canManage ? setDialog : undefined} />
          )}
        </Loaded>
      </div>
      {canManage && <RequireSecondFactor />}
      {(dialog?.kind === 'invite' || dialog?.kind === 'renew') && (
        <Invite
          isOpen
          invited={dialog.kind === 'renew' ? dialog.member : undefined}
          onClose={close}
        />
      )}
      {dialog?.kind === 'remove' && <RemoveMember member={dialog.member} onClose={close} />}
      {dialog?.kind === 'reset' && <SendReset member={dialog.member} onClose={close} />}
      {dialog?.kind === 'end' && <EndSessions member={dialog.member} onClose={close} />}
    </Page>
  )
}

interface MembersTableProps {
  content: readonly Member[]
  onDialog: ((action: DialogRequest) => void) | undefined
}

function MembersTable({ content, onDialog }: MembersTableProps) {
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
      cell: (member) =>
        onDialog && member.status === 'ACTIVE' ? (
          <ChangeRole member={member} />
        ) : (
          frame.roles[member.role]
        ),
    },
    { label: members.state, cell: (member) => <MemberState member={member} /> },
    { label: members.since, cell: ({ createdAt }) => formats.date(createdAt) },
  ]
  const actions: Column<Member> = {
    label: members.actions,
    cell: (member) => <MemberActions member={member} onDialog={onDialog} />,
  }
  return (
    <DataTable
      caption={members.title}
      columns={onDialog ? [...columns, actions] : columns}
      rows={content}
      getKey={({ id }) => id}
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
  onDialog: MembersTableProps['onDialog']
}

function MemberActions({ member, onDialog }: MemberActionsProps) {
  const { members } = useTexts()
  const isInvited = member.status === 'INVITED'
  const removal = isInvited ? members.withdraw : members.remove
  return (
    <Group gap="xs">
      {isInvited && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={members.ofMember(members.renew, member.email)}
          onClick={() => onDialog?.({ kind: 'renew', member })}
        >
          {members.renew}
        </Button>
      )}
      {!isInvited && !member.isSelf && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={members.ofMember(members.reset, member.email)}
          onClick={() => onDialog?.({ kind: 'reset', member })}
        >
          {members.reset}
        </Button>
      )}
      {!isInvited && !member.isSelf && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={members.ofMember(members.endSessions, member.email)}
          onClick={() => onDialog?.({ kind: 'end', member })}
        >
          {members.endSessions}
        </Button>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={members.ofMember(removal, member.email)}
        onClick={() => onDialog?.({ kind: 'remove', member })}
      >
        {removal}
      </Button>
    </Group>
  )
}
