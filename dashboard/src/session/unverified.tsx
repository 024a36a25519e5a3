/** For users whose address is not verified. */

import { Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { resendVerification } from '../api/email'
import { readSession } from '../api/session'
import { ErrorAlert } from '../components/error-alert'
import { useSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'
import { useSession, useSessionState } from './session'
import { useSignOut } from './sign-out'
import { SignedOutFrame } from './signed-out-frame'

export function Unverified() {
  const { email: texts, frame } = useTexts()
  const { email } = useSession()
  const { retry } = useSessionState()
  const leaving = useSignOut()
  const checking = useSaving({
    save: () => readSession(),
    onSaved: ({ emailUnverified }) => {
      if (emailUnverified) notifications.show({ message: texts.notYet })
      else retry()
    },
  })
  const resending = useSaving({
    save: () => resendVerification({ email }),
    onSaved: () => {
      notifications.show({ message: texts.resent, color: 'green' })
    },
  })
  return (
    <SignedOutFrame
      title={texts.title}
      lead={texts.lead(email)}
      foot={
        <Button
          variant="subtle"
          color="gray"
          loading={leaving.isSaving}
          onClick={() => leaving.run(undefined)}
        >
          {frame.signOut}
        </Button>
      }
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.checkSpam}
        </Text>
        <ErrorAlert error={leaving.error} />
        <ErrorAlert error={checking.error} />
        <ErrorAlert error={resending.error} />
        <Button loading={checking.isSaving} onClick={() => checking.run(undefined)} fullWidth>
          {texts.check}
        </Button>
        <Button
          variant="default"
          loading={resending.isSaving}
          onClick={() => resending.run(undefined)}
          fullWidth
        >
          {texts.resend}
        </Button>
      </Stack>
    </SignedOutFrame>
  )
}
