import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from 'wouter'
import { signIn } from '../api/session'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { Landing } from './landing'
import { SignedOutFrame } from './signed-out-frame'
import { useSessionState } from './session'

export function SignIn() {
  const { frame } = useTexts()
  const { begin } = useSessionState()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (email) => (email.trim() ? null : frame.required),
      password: (password) => (password ? null : frame.required),
    },
  })
  const saving = useFormSaving(form, { save: signIn, onSaved: begin })
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
          <TextInput
            label={frame.email}
            type="email"
            autoComplete="username"
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
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
          <Anchor component={Link} href="/forgotten" size="sm" ta="center">
            {frame.forgotten}
          </Anchor>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}
