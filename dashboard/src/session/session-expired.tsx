import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { signInWithPasskey } from '../api/passkeys'
import { signIn, type FactorsNeeded, type Session } from '../api/session'
import { ErrorAlert } from '../components/error-alert'
import { useSaving } from '../components/saving'
import { useTexts } from '../i18n/texts'
import { Interruption } from './interruption'
import { ProofForm } from './proof-form'
import { needsFactor, SecondFactorStep } from './second-factor-step'

export interface SessionExpiredProps {
  email: string
  onSignedIn(session: Session): void
  onLeave(): Promise<void>
}

export function SessionExpired({ email, onSignedIn, onLeave }: SessionExpiredProps) {
  const { frame } = useTexts()
  const leaving = useSaving({ save: onLeave })
  const [needed, setNeeded] = useState<FactorsNeeded>()
  return (
    <Interruption title={frame.sessionExpiredTitle} lead={frame.sessionExpired} zIndex={400}>
      {needed ? (
        <SecondFactorStep
          needed={needed}
          onSignedIn={onSignedIn}
          onBack={() => setNeeded(undefined)}
        />
      ) : (
        <>
          <ErrorAlert error={leaving.error} />
          <TextInput label={frame.email} value={email} readOnly autoComplete="username" mb="md" />
          <ProofForm<Session | FactorsNeeded>
            kinds={['password']}
            action={frame.signIn}
            dismiss={
              <Button
                variant="subtle"
                color="gray"
                loading={leaving.isSaving}
                onClick={() => leaving.run(undefined)}
              >
                {frame.otherAccount}
              </Button>
            }
            prove={({ password = '' }) => signIn({ email, password })}
            provePasskey={signInWithPasskey}
            onProven={(answer) => {
              if (needsFactor(answer)) setNeeded(answer)
              else onSignedIn(answer)
            }}
          />
        </>
      )}
    </Interruption>
  )
}
