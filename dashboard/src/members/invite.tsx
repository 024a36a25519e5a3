import { roles } from '@einvoicing/domain/role'
import { Alert, Button, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { invite, membersKey, type Invited } from '../api/members'
import type { Role } from '../api/session'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { findEmailError } from '../session/credential-errors'
import { CodeBlock } from '../components/code-block'
import { Icon } from '../components/icon'
import { ErrorAlert } from '../components/error-alert'
import { useCloseUnlessSaving, useFormSaving } from '../components/saving'

export interface InviteProps {
  isOpen: boolean
  invited?: { email: string; role: Role } | undefined
  onClose(): void
}

export function Invite({ isOpen, invited, onClose }: InviteProps) {
  const { members } = useTexts()
  const [made, setMade] = useState<Invited>()
  const close = useCloseUnlessSaving(() => {
    setMade(undefined)
    onClose()
  })
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={members.inviteTitle}
      size="lg"
      closeOnClickOutside={!made}
    >
      {made ? (
        <InvitationLink made={made} onClose={close} />
      ) : (
        <InviteForm invited={invited} onMade={setMade} />
      )}
    </Modal>
  )
}

interface InviteFormProps {
  invited: InviteProps['invited']
  onMade(made: Invited): void
}

function InviteForm({ invited, onMade }: InviteFormProps) {
  const { members, frame } = useTexts()
  const queries = useQueryClient()
  const form = useForm<{ email: string; role: Role }>({
    initialValues: invited
      ? { email: invited.email, role: invited.role }
      : { email: '', role: 'MEMBER' },
    validate: { email: (email) => findEmailError(email, frame) },
  })
  const saving = useFormSaving(form, {
    save: invite,
    onSaved: (made) => {
      void queries.invalidateQueries({ queryKey: membersKey })
      onMade(made)
    },
  })
  return (
    <form onSubmit={saving.onSubmit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {members.inviteHint}
        </Text>
        <TextInput
          label={members.email}
          type="email"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <NativeSelect
          label={members.role}
          description={members.roleHint[form.values.role]}
          data={roles.toReversed().map((role) => ({ value: role, label: frame.roles[role] }))}
          {...form.getInputProps('role')}
        />
        <ErrorAlert error={saving.error} />
        <Button type="submit" loading={saving.isSaving} style={{ alignSelf: 'end' }}>
          {members.makeLink}
        </Button>
      </Stack>
    </form>
  )
}

function InvitationLink({ made, onClose }: { made: Invited; onClose: () => void }) {
  const { members, frame } = useTexts()
  const formats = useFormats()
  const link = `${window.location.origin}/dashboard/invitation#${made.invitationToken}`
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<Icon name="alert" />}>
        {members.linkHint(made.email, formats.dateTime(made.invitationExpiresAt ?? ''))}
      </Alert>
      <CodeBlock text={link} label={members.link} copyLabel={members.copy} />
      <Button onClick={onClose} style={{ alignSelf: 'end' }}>
        {frame.close}
      </Button>
    </Stack>
  )
}
