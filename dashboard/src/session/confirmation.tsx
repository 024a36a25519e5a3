/**
 * Asks for the password when a call needs a recent proof of who is at the page; the call then goes
 * on, and nothing typed is lost.
 */

import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { onConfirmationRequired } from '../api/connection'
import { confirmSession } from '../api/session'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'
import { useSessionState } from './session'

interface Waiting {
  done: Promise<void>
  resolve(): void
  reject(): void
}

function createWaiting(): Waiting {
  const waiting: Partial<Waiting> = {}
  waiting.done = new Promise((resolve, reject) => Object.assign(waiting, { resolve, reject }))
  return waiting as Waiting
}

export function Confirmation() {
  const { session } = useSessionState()
  const [waiting, setWaiting] = useState<Waiting>()
  useEffect(() => {
    let shared: Waiting | undefined
    onConfirmationRequired(() => {
      if (!shared) {
        shared = createWaiting()
        setWaiting(shared)
        const forget = () => {
          shared = undefined
          setWaiting(undefined)
        }
        shared.done.then(forget, forget)
      }
      return shared.done
    })
    return () => onConfirmationRequired(undefined)
  }, [])
  if (!session || !waiting) return null
  return (
    <ConfirmationDialog
      email={session.email}
      onConfirmed={waiting.resolve}
      onDeclined={waiting.reject}
    />
  )
}

interface ConfirmationDialogProps {
  email: string
  onConfirmed(): void
  onDeclined(): void
}

function ConfirmationDialog({ email, onConfirmed, onDeclined }: ConfirmationDialogProps) {
  const { frame } = useTexts()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: { password: (password) => (password ? null : frame.required) },
  })
  const saving = useFormSaving(form, { save: confirmSession, onSaved: onConfirmed })
  return (
    <Modal
      opened
      title={frame.confirmTitle}
      closeOnClickOutside={false}
      onClose={onDeclined}
      zIndex={400}
    >
      <form
        noValidate
        onSubmit={(event) => {
          // A form around the dialog in React's tree is not sent with it.
          event.stopPropagation()
          saving.onSubmit(event)
        }}
      >
        <Stack>
          <Text size="sm">{frame.confirmLead}</Text>
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <PasswordInput
            label={frame.password}
            autoComplete="current-password"
            data-autofocus
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <ErrorAlert error={saving.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onDeclined}>
              {frame.cancel}
            </Button>
            <Button type="submit" loading={saving.isSaving}>
              {frame.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
