/** For users whose address is not verified. */

import { Button, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { resendVerification } from '../api/email'
import { readSession } from '../api/session'
import { ErrorAlert } from '../components/error-alert'
import { useSaving, type Saving } from '../components/saving'
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
  const run = (saving: Saving<undefined>) => {
    for (const { error, reset } of [leaving, checking, resending]) if (error) reset()
    saving.run(undefined)
  }
  return (
    <SignedOutFrame
      title={texts.title}
      lead={texts.lead(email)}
      foot={
        <Button
          variant="subtle"
          color="gray"
          loading={leaving.isSaving}
          onClick={() => run(leaving)}
        >
          {frame.signOut}
        </Button>
      }
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {texts.checkSpam}
        </Text>
        <ErrorAlert error={leaving.error ?? checking.error ?? resending.error} />
        <Button loading={checking.isSaving} onClick={() => run(checking)} fullWidth>
          {texts.check}
        </Button>
        <Button
          variant="default"
          loading={resending.isSaving}
          onClick={() => run(resending)}
          fullWidth
        >
          {texts.resend}
        </Button>
      </Stack>
    </SignedOutFrame>
  )
}
