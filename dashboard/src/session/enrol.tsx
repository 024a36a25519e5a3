/** For members without the second factor that their organization requires. */

import { Button, Title } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { Security } from '../account/security'
import { OrganizationSwitch } from '../frame/organization-switch'
import { Interruption } from './interruption'
import { useSessionState } from './session'
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
  const { end } = useSessionState()
  return (
    <Button variant="subtle" color="gray" onClick={() => void end()}>
      {frame.signOut}
    </Button>
  )
}
