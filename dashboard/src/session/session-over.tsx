/** Over whatever was being done: the password again, and it goes on. */

import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { signIn, type Session } from '../api/session'
import { useTexts } from '../i18n/texts'
import { Refusal } from '../shown/refusal'
import { useFormSaving } from '../shown/saving'

export interface SessionOverProps {
  email: string
  onSignedIn(session: Session): void
  onLeave(): void
}

export function SessionOver({ email, onSignedIn, onLeave }: SessionOverProps) {
  const { frame } = useTexts()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (password) => (password ? null : frame.needed) },
  })
  const saving = useFormSaving(form, {
    save: ({ password }) => signIn({ email, password }),
    onSaved: onSignedIn,
  })
  return (
    <Modal
      opened
      centered
      title={frame.sessionOverTitle}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onClose={onLeave}
      zIndex={400}
    >
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <Text size="sm">{frame.sessionOver}</Text>
          <TextInput label={frame.email} value={email} readOnly autoComplete="username" />
          <PasswordInput
            label={frame.password}
            autoComplete="current-password"
            data-autofocus
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Refusal error={saving.error} />
          <Group justify="space-between">
            <Button variant="subtle" color="gray" onClick={onLeave}>
              {frame.asSomebodyElse}
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
