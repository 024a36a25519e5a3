import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { ServiceError } from '../api/connection'
import { acceptInvitation, readInvitation, type Invitation as Read } from '../api/session'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving } from '../components/saving'
import { Loaded } from '../components/states'
import { SignedOutFrame } from './signed-out-frame'
import { NewPassword } from './new-password'
import { findPasswordError } from './credential-errors'
import { useSessionState } from './session'

export function Invitation() {
  const { frame } = useTexts()
  // After the #, so that it appears in no server log.
  const token = window.location.hash.slice(1)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(token),
    retry: false,
  })
  if (invitation.error instanceof ServiceError && invitation.error.status === 404) {
    return (
      <SignedOutFrame title={frame.invitationExpired} lead={frame.invitationExpiredHint}>
        <Anchor component={Link} href="/">
          {frame.signIn}
        </Anchor>
      </SignedOutFrame>
    )
  }
  if (!invitation.data) {
    return (
      <SignedOutFrame title={frame.join}>
        <Loaded query={invitation}>{() => null}</Loaded>
      </SignedOutFrame>
    )
  }
  return <Join token={token} invitation={invitation.data} />
}

function Join({ token, invitation }: { token: string; invitation: Read }) {
  const { frame } = useTexts()
  const formats = useFormats()
  const { begin } = useSessionState()
  const [, navigate] = useLocation()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: {
      password: (password) => findPasswordError(password, frame),
    },
  })
  const saving = useFormSaving(form, {
    save: ({ password }) => acceptInvitation({ token, password }),
    onSaved: (session) => {
      begin(session)
      navigate('/', { replace: true })
    },
  })
  return (
    <SignedOutFrame
      title={frame.invitationTitle(invitation.organizationName)}
      lead={frame.invitationHint(invitation.email, frame.roles[invitation.role])}
    >
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <TextInput
            label={frame.email}
            value={invitation.email}
            readOnly
            autoComplete="username"
          />
          <NewPassword
            label={frame.password}
            findOwner={() => invitation}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <ErrorAlert error={saving.error} />
          <Button type="submit" loading={saving.isSaving} fullWidth>
            {frame.join}
          </Button>
          <Text size="xs" c="dimmed">
            {frame.invitationUntil(formats.dateTime(invitation.expiresAt))}
          </Text>
        </Stack>
      </form>
    </SignedOutFrame>
  )
}
