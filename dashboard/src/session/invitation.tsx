import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ServiceError } from '../api/connection'
import { announceSwitch } from '../api/memberships'
import {
  acceptInvitation,
  readInvitation,
  type FactorsNeeded,
  type Invitation as Read,
  type Session,
} from '../api/session'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving, useSaving } from '../components/saving'
import { Loaded } from '../components/states'
import { SignedOutFrame } from './signed-out-frame'
import { NewPassword } from './new-password'
import { findPasswordError } from './credential-errors'
import { needsFactor, SecondFactorStep } from './second-factor-step'
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
  return <Accept token={token} invitation={invitation.data} />
}

/** When the signed-in account is the one invited. */
function Accept({ token, invitation }: { token: string; invitation: Read }) {
  const { session } = useSessionState()
  return session?.email === invitation.email ? (
    <JoinSignedIn token={token} invitation={invitation} />
  ) : (
    <Join token={token} invitation={invitation} />
  )
}

function JoinSignedIn({ token, invitation }: { token: string; invitation: Read }) {
  const { frame } = useTexts()
  const onJoined = useJoined()
  const saving = useSaving({ save: () => acceptInvitation({ token }), onSaved: onJoined })
  return (
    <SignedOutFrame
      title={frame.invitationTitle(invitation.organizationName)}
      lead={frame.invitationSignedIn(invitation.email, frame.roles[invitation.role])}
    >
      <Stack>
        <ErrorAlert error={saving.error} />
        <Button onClick={() => saving.run(undefined)} loading={saving.isSaving} fullWidth>
          {frame.join}
        </Button>
      </Stack>
    </SignedOutFrame>
  )
}

function useJoined() {
  const { begin } = useSessionState()
  const [, navigate] = useLocation()
  return (answer: Session | FactorsNeeded) => {
    if (needsFactor(answer)) return
    announceSwitch()
    begin(answer)
    navigate('/', { replace: true })
  }
}

function Join({ token, invitation }: { token: string; invitation: Read }) {
  const { frame, security } = useTexts()
  const formats = useFormats()
  const onJoined = useJoined()
  const [needed, setNeeded] = useState<FactorsNeeded>()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: {
      password: (password) => findPasswordError(password, frame),
    },
  })
  const saving = useFormSaving(form, {
    save: ({ password }) => acceptInvitation({ token, password }),
    onSaved: (answer) => {
      if (needsFactor(answer)) setNeeded(answer)
      else onJoined(answer)
    },
  })
  const joining = useSaving({ save: () => acceptInvitation({ token }), onSaved: onJoined })
  if (needed) {
    return (
      <SignedOutFrame title={security.stepTitle}>
        <ErrorAlert error={joining.error} />
        <SecondFactorStep
          needed={needed}
          onSignedIn={() => joining.run(undefined)}
          onBack={() => setNeeded(undefined)}
        />
      </SignedOutFrame>
    )
  }
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
