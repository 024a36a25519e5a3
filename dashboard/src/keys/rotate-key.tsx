import { Alert, Button, Group, Loader, Modal, Stack, Stepper, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeysKey, revokeApiKey, useApiKeys, type ApiKey, type NewApiKey } from '../api/api-keys'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { Icon } from '../components/icon'
import { ErrorAlert } from '../components/error-alert'
import { useCloseUnlessSaving, useSaving } from '../components/saving'
import { MadeKey, NewKeyForm } from './new-key'

const pollMs = 6_000
const doneStep = 3

export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { keys, frame } = useTexts()
  const [step, setStep] = useState(0)
  const [made, setMade] = useState<NewApiKey>()
  const steps = keys.rotation
  const close = useCloseUnlessSaving(onClose)
  return (
    <Modal
      opened
      onClose={close}
      title={steps.title(apiKey.name)}
      size="xl"
      closeOnClickOutside={false}
      closeOnEscape={!made || step === doneStep}
    >
      <Text size="sm" c="dimmed" mb="lg">
        {steps.lead}
      </Text>
      <Stepper active={step} orientation="vertical" size="sm" iconSize={30}>
        <Stepper.Step label={steps.create} description={steps.createHint}>
          <NewKeyForm
            label={steps.newName}
            firstName={nextKeyName(apiKey.name)}
            rotatedId={apiKey.id}
            action={steps.create}
            onMade={(created) => {
              setMade(created)
              setStep(1)
            }}
          />
        </Stepper.Step>
        <Stepper.Step label={steps.deploy} description={steps.deployHint}>
          {made && <Deploy made={made} onDeployed={() => setStep(2)} />}
        </Stepper.Step>
        <Stepper.Step label={steps.revoke} description={steps.revokeHint(apiKey.name)}>
          {made && (
            <RevokeOld oldId={apiKey.id} newId={made.id} onRevoked={() => setStep(doneStep)} />
          )}
        </Stepper.Step>
        <Stepper.Completed>
          <Stack>
            <Alert color="green" icon={<Icon name="check" />}>
              {steps.done}
            </Alert>
            <Button onClick={onClose} style={{ alignSelf: 'end' }}>
              {frame.close}
            </Button>
          </Stack>
        </Stepper.Completed>
      </Stepper>
    </Modal>
  )
}

function Deploy({ made, onDeployed }: { made: NewApiKey; onDeployed: () => void }) {
  const { keys } = useTexts()
  const formats = useFormats()
  const lastUsedAt = useLastUsed(made.id)
  return (
    <Stack>
      <MadeKey made={made} />
      <Group gap="xs" role="status">
        {lastUsedAt === null ? (
          <>
            <Loader size="xs" />
            <Text size="sm">{keys.rotation.waiting}</Text>
          </>
        ) : (
          <Text size="sm" fw={600}>
            <Icon name="check" /> {keys.rotation.seen(formats.ago(lastUsedAt))}
          </Text>
        )}
      </Group>
      <Button
        variant={lastUsedAt === null ? 'default' : 'filled'}
        onClick={onDeployed}
        style={{ alignSelf: 'end' }}
      >
        {keys.rotation.continue}
      </Button>
    </Stack>
  )
}

interface RevokeOldProps {
  oldId: string
  newId: string
  onRevoked(): void
}

function RevokeOld({ oldId, newId, onRevoked }: RevokeOldProps) {
  const { keys } = useTexts()
  const formats = useFormats()
  const queries = useQueryClient()
  const newUsedAt = useLastUsed(newId)
  const oldUsedAt = useLastUsed(oldId)
  const saving = useSaving({
    save: () => revokeApiKey(oldId),
    onSaved: () => {
      void queries.invalidateQueries({ queryKey: apiKeysKey })
      onRevoked()
    },
  })
  const isOldStillUsed = oldUsedAt !== null && newUsedAt !== null && oldUsedAt > newUsedAt
  return (
    <Stack>
      {newUsedAt === null && <Alert color="yellow">{keys.rotation.notUsedYet}</Alert>}
      {isOldStillUsed && (
        <Alert color="yellow">{keys.rotation.stillUsed(formats.ago(oldUsedAt))}</Alert>
      )}
      <ErrorAlert error={saving.error} />
      <Button
        color="red.9"
        loading={saving.isSaving}
        onClick={() => saving.run(undefined)}
        style={{ alignSelf: 'end' }}
      >
        {keys.rotation.revoke}
      </Button>
    </Stack>
  )
}

function useLastUsed(id: string): string | null {
  const { data } = useApiKeys(pollMs)
  return data?.find((key) => key.id === id)?.lastUsedAt ?? null
}

/** `ERP` → `ERP (2)` → `ERP (3)`. */
function nextKeyName(name: string): string {
  const counted = /^(.*) \((\d+)\)$/.exec(name)
  return counted ? `${counted[1] ?? ''} (${Number(counted[2]) + 1})` : `${name} (2)`
}
