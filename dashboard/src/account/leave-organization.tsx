import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { announceSwitch, leaveOrganization } from '../api/memberships'
import { Confirm } from '../components/confirm'
import { useSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'

export function LeaveOrganization() {
  const { account } = useTexts()
  const { organizationName, memberships } = useSession()
  const [isAsking, setIsAsking] = useState(false)
  const saving = useSaving({
    save: leaveOrganization,
    onSaved: () => {
      announceSwitch()
      window.location.assign('/dashboard/')
    },
  })
  return (
    <>
      <Button
        variant="subtle"
        color="red"
        h="auto"
        mih="2.25rem"
        py={6}
        // The name may be wider than a small phone.
        styles={{ label: { whiteSpace: 'normal' } }}
        onClick={() => setIsAsking(true)}
      >
        {account.leaveOf(organizationName)}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={account.leaveTitle(organizationName)}
        action={account.leave}
        saving={saving}
        onConfirm={() => saving.run(undefined)}
        onClose={() => {
          saving.reset()
          setIsAsking(false)
        }}
      >
        <Text size="sm">{account.leaveHint}</Text>
        {memberships.length <= 1 && (
          <Text size="sm" fw={600}>
            {account.leaveLast}
          </Text>
        )}
      </Confirm>
    </>
  )
}
