import { Anchor, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Link } from 'wouter'
import { requestPasswordReset } from '../api/session'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'
import { EmailField } from './email-field'
import { SignedOutFrame } from './signed-out-frame'

export function ForgottenPassword() {
  const { frame } = useTexts()
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: (email) => (email.trim() ? null : frame.required) },
  })
  const saving = useFormSaving(form, {
    save: requestPasswordReset,
    onSaved: () => setSentTo(form.getValues().email.trim()),
  })
  const back = (
    <Anchor component={Link} href="/sign-in" inherit>
      {frame.signIn}
    </Anchor>
  )
  if (sentTo !== undefined) {
    return (
      <SignedOutFrame title={frame.forgottenSentTitle} lead={frame.forgottenSent(sentTo)}>
        {back}
      </SignedOutFrame>
    )
  }
  return (
    <SignedOutFrame title={frame.forgottenTitle} lead={frame.forgottenLead} foot={back}>
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <EmailField form={form} />
          <ErrorAlert error={saving.error} />
          <Button type="submit" loading={saving.isSaving} fullWidth>
            {frame.forgottenSend}
          </Button>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}
