import { Anchor, Button, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link } from 'wouter'
import { canUsePasskeys, signInWithPasskey } from '../api/passkeys'
import { signIn, type FactorsNeeded } from '../api/session'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { Landing } from './landing'
import { EmailField } from './email-field'
import { SignedOutFrame } from './signed-out-frame'
import { PasskeyButton } from './proof-form'
import { needsFactor, SecondFactorStep } from './second-factor-step'
import { useSessionState } from './session'

export function SignIn() {
  const { frame, security } = useTexts()
  const { begin } = useSessionState()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (email) => (email.trim() ? null : frame.required),
      password: (password) => (password ? null : frame.required),
    },
  })
  const [needed, setNeeded] = useState<FactorsNeeded>()
  const saving = useFormSaving(form, {
    save: signIn,
    onSaved: (answer) => {
      if (needsFactor(answer)) setNeeded(answer)
      else begin(answer)
    },
  })
  if (needed) {
    return (
      <SignedOutFrame title={security.stepTitle}>
        <SecondFactorStep needed={needed} onSignedIn={begin} onBack={() => setNeeded(undefined)} />
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame
      title={frame.signInTitle}
      lead={frame.signInHint}
      aside={<Landing />}
      foot={
        <>
          {frame.noAccount}{' '}
          <Anchor component={Link} href="/sign-up" inherit>
            {frame.signUpTitle}
          </Anchor>
        </>
      }
    >
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <EmailField form={form} />
          <PasswordInput
            label={frame.password}
            autoComplete="current-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <ErrorAlert error={saving.error} />
          <Button type="submit" loading={saving.isSaving} fullWidth>
            {frame.signIn}
          </Button>
          {canUsePasskeys() && <PasskeyButton ask={signInWithPasskey} onDone={begin} />}
          <Anchor component={Link} href="/forgotten" size="sm" ta="center">
            {frame.forgotten}
          </Anchor>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}
