import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ServiceError } from '../api/connection'
import { resetPassword } from '../api/session'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { SignedOutFrame } from './signed-out-frame'
import { NewPassword } from './new-password'
import { findPasswordError } from './credential-errors'

export function ResetPassword() {
  const { frame } = useTexts()
  const [isDone, setDone] = useState(false)
  // After the #, so that it appears in no server log.
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: {
      password: (password) => findPasswordError(password, frame),
    },
  })
  const saving = useFormSaving(form, {
    save: ({ password }) => resetPassword({ token, password }),
    onSaved: () => setDone(true),
  })
  if (isDone) {
    return (
      <SignedOutFrame title={frame.resetDone} lead={frame.resetDoneLead}>
        {/* The page as a whole: a session that was open here has ended. */}
        <Anchor href="/dashboard/">{frame.signIn}</Anchor>
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame title={frame.resetTitle} lead={frame.resetLead}>
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <NewPassword
            label={frame.newPassword}
            findOwner={() => ({ email: '' })}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {token === '' || isTokenOver(saving.error) ? (
            <Text role="alert">{frame.resetExpired}</Text>
          ) : (
            <ErrorAlert error={saving.error} />
          )}
          <Button type="submit" loading={saving.isSaving} disabled={token === ''} fullWidth>
            {frame.reset}
          </Button>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}

function isTokenOver(error: unknown): boolean {
  return error instanceof ServiceError && error.fieldErrors.some(({ field }) => field === 'token')
}
