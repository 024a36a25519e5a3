/** Signing in; the address stays, so that a deep link is reached after it. */

import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from 'wouter'
import { signIn } from '../api/session'
import { useTexts } from '../i18n/texts'
import { Refusal } from '../shown/refusal'
import { useFormSaving } from '../shown/saving'
import { Door } from './door'
import { useSitting } from './session'

export function SignIn() {
  const { frame } = useTexts()
  const { begin } = useSitting()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (email) => (email.trim() ? null : frame.needed),
      password: (password) => (password ? null : frame.needed),
    },
  })
  const saving = useFormSaving(form, { save: signIn, onSaved: begin })
  return (
    <Door
      title={frame.signInTitle}
      lead={frame.signInTold}
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
          <Refusal error={saving.error} />
          <Button type="submit" loading={saving.isSaving} fullWidth>
            {frame.signIn}
          </Button>
        </Stack>
      </form>
    </Door>
  )
}
