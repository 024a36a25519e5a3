/** For members without the second factor that their organization requires. */

import { Button, Title } from '@mantine/core'
import { useTexts } from '../i18n/texts'
import { Security } from '../account/security'
import { OrganizationSwitch } from '../frame/organization-switch'
import { useSessionState } from './session'
import { SignedOutFrame } from './signed-out-frame'

export function Enrol() {
  const { frame, security } = useTexts()
  const { retry, end } = useSessionState()
  return (
    <SignedOutFrame
      title={security.enrolTitle}
      lead={security.enrolLead}
      foot={
        <Button variant="subtle" color="gray" onClick={() => void end()}>
          {frame.signOut}
        </Button>
      }
    >
      <OrganizationSwitch />
      <Title order={2} size="h4" mb="md">
        {security.title}
      </Title>
      <Security onSetUp={retry} />
    </SignedOutFrame>
  )
}
