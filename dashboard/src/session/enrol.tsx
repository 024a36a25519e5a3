/** For members without the second factor that their organization requires. */

import { Button, Title } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { Security } from '../account/security'
import { OrganizationSwitch } from '../frame/organization-switch'
import { ErrorAlert } from '../components/error-alert'
import { Interruption } from './interruption'
import { useSessionState } from './session'
import { useSignOut } from './sign-out'
import { SignedOutFrame } from './signed-out-frame'

export function Enrol() {
  const { security } = useTexts()
  const { retry } = useSessionState()
  return (
    <SignedOutFrame title={security.enrolTitle} lead={security.enrolLead} foot={<SignOut />}>
      <OrganizationSwitch />
      <Title order={2} size="h4" mb="md">
        {security.title}
      </Title>
      <Security onSetUp={retry} />
    </SignedOutFrame>
  )
}

/** Over the page of a user who was signed in when it became required. */
export function EnrolDialog() {
  const { security } = useTexts()
  const { retry } = useSessionState()
  return (
    <Interruption title={security.enrolTitle} lead={security.enrolLead}>
      <Security onSetUp={retry} />
      <SignOut />
    </Interruption>
  )
}

function SignOut() {
  const { frame } = useTexts()
  const leaving = useSignOut()
  return (
    <>
      <ErrorAlert error={leaving.error} />
      <Button
        variant="subtle"
        color="gray"
        loading={leaving.isSaving}
        onClick={() => leaving.run(undefined)}
      >
        {frame.signOut}
      </Button>
    </>
  )
}
