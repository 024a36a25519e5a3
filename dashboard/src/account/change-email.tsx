import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { cancelEmailChange, changeEmail, emailKey, useEmail, type EmailState } from '../api/email'
import { ErrorAlert } from '../components/error-alert'
import { Icon } from '../components/icon'
import { useFormSaving, useSaving } from '../components/saving'
import { Loaded } from '../components/states'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { findEmailError } from '../session/credential-errors'
import { useSession, useSessionState } from '../session/session'

export function ChangeEmail() {
  const { account } = useTexts()
  const { email: shown } = useSession()
  const { retry } = useSessionState()
  const queries = useQueryClient()
  const query = useEmail()
  const onState = (state: EmailState) => {
    queries.setQueryData(emailKey, state)
    if (state.pending || state.email === shown) return
    // Without SMTP the change is immediate.
    notifications.show({ message: account.emailChanged(state.email), color: 'green' })
    retry()
  }
  return (
    <Loaded query={query}>
      {(state) =>
        state.pending ? (
          <PendingChange state={state} pending={state.pending} onState={onState} />
        ) : (
          <EmailForm onState={onState} />
        )
      }
    </Loaded>
  )
}

interface PendingChangeProps {
  state: EmailState
  pending: NonNullable<EmailState['pending']>
  onState(state: EmailState): void
}

function PendingChange({ state, pending, onState }: PendingChangeProps) {
  const { account } = useTexts()
  const formats = useFormats()
  const cancelling = useSaving({ save: cancelEmailChange, onSaved: onState })
  const isOpened = (address: string) => !pending.unconfirmed.includes(address)
  return (
    <Stack align="flex-start">
      <Alert color="yellow" variant="light" icon={<Icon name="alert" />} role="status">
        <Text size="sm">{account.emailPending(formats.dateTime(pending.expiresAt))}</Text>
        <ul>
          {[state.email, pending.email].map((address) => (
            <li key={address} style={{ overflowWrap: 'anywhere' }}>
              {account.emailLink(address, isOpened(address))}
            </li>
          ))}
        </ul>
        <Text size="sm">{account.emailLost}</Text>
      </Alert>
      <ErrorAlert error={cancelling.error} />
      <Button
        variant="default"
        loading={cancelling.isSaving}
        onClick={() => cancelling.run(undefined)}
      >
        {account.emailCancel}
      </Button>
    </Stack>
  )
}

function EmailForm({ onState }: Pick<PendingChangeProps, 'onState'>) {
  const { account, frame } = useTexts()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: (email) => findEmailError(email, frame) },
  })
  const saving = useFormSaving(form, { save: changeEmail, onSaved: onState })
  return (
    <form onSubmit={saving.onSubmit} noValidate>
      <Stack maw={420}>
        <TextInput
          label={account.newEmail}
          type="email"
          autoComplete="off"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <ErrorAlert error={saving.error} />
        <Button type="submit" loading={saving.isSaving} style={{ alignSelf: 'start' }}>
          {account.emailChange}
        </Button>
      </Stack>
    </form>
  )
}
