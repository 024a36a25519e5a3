/** Where the link of an invitation leads: whose it is, and a password of one's own. */

import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { Refused } from '../api/connection'
import { acceptInvitation, readInvitation, type Invitation as Read } from '../api/session'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { Refusal } from '../shown/refusal'
import { useFormSaving } from '../shown/saving'
import { Loaded } from '../shown/states'
import { Door } from './door'
import { findPasswordError } from './credential-errors'
import { useSitting } from './session'

export function Invitation() {
  const { frame } = useTexts()
  // After the #, so that no log of a server on the way holds it.
  const token = window.location.hash.slice(1)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(token),
    retry: false,
  })
  if (invitation.error instanceof Refused && invitation.error.status === 404) {
    return (
      <Door title={frame.invitationOver} lead={frame.invitationOverTold}>
        <Anchor component={Link} href="/">
          {frame.signIn}
        </Anchor>
      </Door>
    )
  }
  if (!invitation.data) {
    return (
      <Door title={frame.join}>
        <Loaded query={invitation}>{() => null}</Loaded>
      </Door>
    )
  }
  return <Join token={token} invitation={invitation.data} />
}

function Join({ token, invitation }: { token: string; invitation: Read }) {
  const { frame } = useTexts()
  const formats = useFormats()
  const { begin } = useSitting()
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
    <Door
      title={frame.invitationTitle(invitation.organizationName)}
      lead={frame.invitationTold(invitation.email, frame.roles[invitation.role])}
    >
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <TextInput
            label={frame.email}
            value={invitation.email}
            readOnly
            autoComplete="username"
          />
          <PasswordInput
            label={frame.password}
            description={frame.passwordRule}
            autoComplete="new-password"
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Refusal error={saving.error} />
          <Button type="submit" loading={saving.isSaving} fullWidth>
            {frame.join}
          </Button>
          <Text size="xs" c="dimmed">
            {frame.invitationUntil(formats.dateTime(invitation.expiresAt))}
          </Text>
        </Stack>
      </form>
    </Door>
  )
}
