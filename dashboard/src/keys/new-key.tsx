import { limits } from '@einvoicing/domain/limits'
import { Alert, Button, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeysKey, createApiKey, rotateApiKey, type NewApiKey as Made } from '../api/api-keys'
import { useTexts } from '../i18n/texts'
import { CodeBlock } from '../components/code-block'
import { Icon } from '../components/icon'
import { ErrorAlert } from '../components/error-alert'
import { useCloseUnlessSaving, useFormSaving } from '../components/saving'
import { KeyLimitFields, noLimits, toKeyLimits } from './key-limits'

export interface NewKeyFormProps {
  firstName?: string
  label?: string
  rotatedId?: string
  action: string
  onMade(made: Made): void
}

export function NewKeyForm({ firstName = '', label, rotatedId, action, onMade }: NewKeyFormProps) {
  const { keys, frame } = useTexts()
  const queries = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: firstName, ...noLimits },
    validate: { name: (name) => (name.trim() ? null : frame.required) },
  })
  const saving = useFormSaving(form, {
    save: ({ name, ...limited }) =>
      rotatedId === undefined
        ? createApiKey({ name: name.trim(), ...toKeyLimits(limited, new Date()) })
        : rotateApiKey(rotatedId, name.trim()),
    onSaved: (made) => {
      void queries.invalidateQueries({ queryKey: apiKeysKey })
      onMade(made)
    },
  })
  return (
    <form onSubmit={saving.onSubmit} noValidate>
      <Stack align="flex-start">
        <TextInput
          w="100%"
          maw={420}
          label={label ?? keys.name}
          description={keys.nameHint}
          maxLength={limits.apiKeyNameLength}
          key={form.key('name')}
          data-autofocus
          {...form.getInputProps('name')}
        />
        {rotatedId === undefined && <KeyLimitFields form={form} />}
        <ErrorAlert error={saving.error} />
        <Button type="submit" loading={saving.isSaving}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}

export function MadeKey({ made }: { made: Made }) {
  const { keys } = useTexts()
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<Icon name="alert" />}>
        {keys.once}
      </Alert>
      <CodeBlock text={made.key} label={keys.secret} copyLabel={keys.copy} />
    </Stack>
  )
}

export function NewKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { keys } = useTexts()
  const [made, setMade] = useState<Made>()
  const close = useCloseUnlessSaving(() => {
    setMade(undefined)
    onClose()
  })
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={keys.create}
      size="lg"
      // The key is shown once and must not disappear by a stray click.
      closeOnClickOutside={!made}
      closeOnEscape={!made}
    >
      {made ? (
        <Stack>
          <MadeKey made={made} />
          <Button onClick={close} style={{ alignSelf: 'end' }}>
            {keys.copied}
          </Button>
        </Stack>
      ) : (
        <NewKeyForm action={keys.create} onMade={setMade} />
      )}
    </Modal>
  )
}
