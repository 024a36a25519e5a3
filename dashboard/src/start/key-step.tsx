import { Text } from '@mantine/core'
import type { NewApiKey } from '../api/api-keys'
import { useTexts } from '../i18n/texts'
import { MadeKey, NewKeyForm } from '../keys/new-key'
import { useRights } from '../session/session'
import { Step, type StepState } from './step'

export interface KeyStepProps {
  state: StepState
  made: NewApiKey | undefined
  onMade(made: NewApiKey): void
}

export function KeyStep({ state, made, onMade }: KeyStepProps) {
  const { start } = useTexts()
  const { canManage } = useRights()
  const lead = canManage ? start.key.lead : start.key.ownerOnly
  return (
    <Step number={3} title={start.key.title} state={state}>
      {made ? <MadeKey made={made} /> : state === 'done' && <Text size="sm">{start.key.done}</Text>}
      {state === 'now' && (
        <>
          <Text c="dimmed" mb="sm">
            {lead}
          </Text>
          {canManage && (
            <NewKeyForm firstName={start.key.firstName} action={start.key.create} onMade={onMade} />
          )}
        </>
      )}
    </Step>
  )
}
