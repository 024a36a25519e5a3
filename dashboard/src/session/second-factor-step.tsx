import { Button, Text } from '@mantine/core'
import { askPasskey } from '../api/passkeys'
import { isSessionExpired } from '../api/connection'
import { giveSecondFactor, type FactorsNeeded, type Session } from '../api/session'
import { useTexts } from '../i18n/texts'
import { ProofForm, type TypedProof } from './proof-form'

export interface SecondFactorStepProps {
  needed: FactorsNeeded
  onSignedIn(session: Session): void
  /** Also after the half-open session expired. */
  onBack(): void
}

export function SecondFactorStep({ needed, onSignedIn, onBack }: SecondFactorStepProps) {
  const { frame, security } = useTexts()
  const { secondFactor, passkeyOptions } = needed
  const kinds: TypedProof[] = [
    ...(secondFactor.includes('totp') ? (['code'] as const) : []),
    ...(secondFactor.includes('recovery') ? (['recoveryCode'] as const) : []),
  ]
  const provePasskey =
    passkeyOptions && (async () => giveSecondFactor({ passkey: await askPasskey(passkeyOptions) }))
  return (
    <>
      <Text size="sm" mb="sm">
        {security.stepLead}
      </Text>
      <ProofForm
        kinds={kinds}
        action={frame.signIn}
        dismiss={
          <Button variant="subtle" color="gray" onClick={onBack}>
            {security.back}
          </Button>
        }
        prove={giveSecondFactor}
        provePasskey={provePasskey}
        onProven={onSignedIn}
        onError={(error) => {
          if (isSessionExpired(error)) onBack()
        }}
      />
    </>
  )
}

export function needsFactor(answer: Session | FactorsNeeded): answer is FactorsNeeded {
  return 'secondFactor' in answer
}
