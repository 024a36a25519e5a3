import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link, useLocation } from 'wouter'
import { signUp } from '../api/session'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { EmailField } from './email-field'
import { SignedOutFrame } from './signed-out-frame'
import { NewPassword } from './new-password'
import { findEmailError, findPasswordError } from './credential-errors'
import { useSessionState } from './session'

export function SignUp() {
  const { frame } = useTexts()
  const { begin } = useSessionState()
  const [, navigate] = useLocation()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { organizationName: '', email: '', password: '' },
    validateInputOnBlur: true,
    validate: {
      organizationName: (name) => (name.trim() ? null : frame.required),
      email: (email) => findEmailError(email, frame),
      password: (password) => findPasswordError(password, frame),
    },
  })
  const saving = useFormSaving(form, {
    save: signUp,
    onSaved: (session) => {
      begin(session)
      navigate('/start')
    },
  })
  return (
    <SignedOutFrame
      title={frame.signUpTitle}
      lead={frame.signUpHint}
      foot={
        <>
          {frame.haveAccount}{' '}
          <Anchor component={Link} href="/sign-in" inherit>
            {frame.signIn}
          </Anchor>
        </>
      }
    >
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <TextInput
            label={frame.organizationName}
            description={frame.organizationNameHint}
            autoComplete="organization"
            key={form.key('organizationName')}
            {...form.getInputProps('organizationName')}
          />
          <EmailField form={form} />
          <NewPassword
            label={frame.password}
            findOwner={() => form.getValues()}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <ErrorAlert error={saving.error} />
          <Button type="submit" loading={saving.isSaving} fullWidth>
            {frame.signUp}
          </Button>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}
