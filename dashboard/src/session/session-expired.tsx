import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { signIn, type Session } from '../api/session'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'

export interface SessionExpiredProps {
  email: string
  onSignedIn(session: Session): void
  onLeave(): void
}

export function SessionExpired({ email, onSignedIn, onLeave }: SessionExpiredProps) {
  const { frame } = useTexts()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (password) => (password ? null : frame.required) },
  })
  const saving = useFormSaving(form, {
    save: ({ password }) => signIn({ email, password }),
    onSaved: onSignedIn,
  })
  return (
    <Modal
      opened
      title={frame.sessionExpiredTitle}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={onLeave}
      zIndex={400}
    >
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <Text size="sm">{frame.sessionExpired}</Text>
          <TextInput label={frame.email} value={email} readOnly autoComplete="username" />
          <PasswordInput
            label={frame.password}
            autoComplete="current-password"
            data-autofocus
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <ErrorAlert error={saving.error} />
          <Group justify="space-between">
            <Button variant="subtle" color="gray" onClick={onLeave}>
              {frame.otherAccount}
            </Button>
            <Button type="submit" loading={saving.isSaving}>
              {frame.signIn}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
