/** Opened by the mailed link. Nothing happens until the reader agrees. */

import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ServiceError } from '../api/connection'
import { verifyEmail } from '../api/email'
import type { Schemas } from '../api/schemas'
import type { Catalogue } from '../i18n/catalogue'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'
import { SignedOutFrame } from './signed-out-frame'

export function VerifyEmail() {
  const { email: texts } = useTexts()
  const [verified, setVerified] = useState<Schemas['VerifiedEmail']>()
  const [needsPassword, setNeedsPassword] = useState(false)
  // After the #, so that it appears in no server log.
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const saving = useFormSaving(form, {
    save: async ({ password }) => {
      try {
        return await verifyEmail({ token, ...(password !== '' && { password }) })
      } catch (error) {
        if (names(error, 'password')) setNeedsPassword(true)
        // The first answer only says that the password is needed.
        if (names(error, 'password') && !needsPassword) return undefined
        throw error
      }
    },
    onSaved: (answer) => setVerified(answer),
  })
  const problem = findProblem(token, saving.error, texts)
  if (verified !== undefined) {
    return (
      <SignedOutFrame {...describe(verified, texts)}>
        {/* The page as a whole: what the session may do has changed. */}
        <Anchor href="/dashboard/">{texts.goOn}</Anchor>
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame title={texts.openTitle} lead={texts.openChange}>
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          {needsPassword && problem === undefined && (
            <PasswordInput
              label={texts.passwordTitle}
              description={texts.passwordHint}
              autoComplete="current-password"
              key={form.key('password')}
              {...form.getInputProps('password')}
            />
          )}
          {problem === undefined ? (
            <>
              <ErrorAlert error={saving.error} />
              <Button type="submit" loading={saving.isSaving} fullWidth>
                {texts.verify}
              </Button>
            </>
          ) : (
            <>
              <Text role="alert">{problem}</Text>
              <Anchor href="/dashboard/">{texts.goOn}</Anchor>
            </>
          )}
        </Stack>
      </form>
    </SignedOutFrame>
  )
}

function describe(
  { email, remaining, changed }: Schemas['VerifiedEmail'],
  texts: Catalogue['email'],
): { title: string; lead: string } {
  if (changed) return { title: texts.changed, lead: texts.changedLead(email) }
  if (remaining === undefined) return { title: texts.verified, lead: texts.verifiedLead(email) }
  return { title: texts.halfTitle, lead: texts.halfLead(email, remaining) }
}

/** Why the link can never be used. */
function findProblem(
  token: string,
  error: unknown,
  { expired, taken }: Catalogue['email'],
): string | undefined {
  if (token === '' || names(error, 'token')) return expired
  return names(error, 'email') ? taken : undefined
}

function names(error: unknown, name: string): boolean {
  return error instanceof ServiceError && error.fieldErrors.some(({ field }) => field === name)
}
