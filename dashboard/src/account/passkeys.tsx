import { Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { addPasskey, canUsePasskeys, PasskeyDeclined } from '../api/passkeys'
import { removePasskey, renamePasskey, type Passkey } from '../api/second-factor'
import { Confirm } from '../components/confirm'
import { DataTable, type Column } from '../components/data-table'
import { ErrorAlert } from '../components/error-alert'
import { useFormSaving, useSaving } from '../components/saving'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { describeDevice } from './device-name'

export interface PasskeysProps {
  passkeys: readonly Passkey[]
  /** With recovery codes if the user had none. */
  onAdded(recoveryCodes: readonly string[]): void
  onChanged(): void
}

type Dialog = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

export function Passkeys({ passkeys, onAdded, onChanged }: PasskeysProps) {
  const { security } = useTexts()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const changed = () => {
    close()
    onChanged()
  }
  const localUrl = `${window.location.protocol}//localhost:${window.location.port}/dashboard/account`
  return (
    <div>
      <Title order={3} size="h5">
        {security.passkeys}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {security.passkeysHint}
      </Text>
      {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} onDialog={setDialog} />}
      {canUsePasskeys() ? (
        <Button variant="default" mt="sm" onClick={() => setDialog({ kind: 'add' })}>
          {security.passkeyAdd}
        </Button>
      ) : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {security.passkeysUnavailable(localUrl)}
        </Text>
      )}
      {dialog?.kind === 'add' && (
        <NameDialog
          title={security.passkeyAdd}
          name={describeDevice(navigator.userAgent)}
          save={addPasskey}
          onSaved={({ recoveryCodes }) => {
            close()
            onAdded(recoveryCodes)
          }}
          onClose={close}
        />
      )}
      {dialog?.kind === 'rename' && (
        <NameDialog
          title={security.passkeyRename}
          name={dialog.passkey.name}
          save={(name) => renamePasskey(dialog.passkey.id, { name })}
          onSaved={changed}
          onClose={close}
        />
      )}
      {dialog?.kind === 'remove' && (
        <RemovePasskey passkey={dialog.passkey} onRemoved={changed} onClose={close} />
      )}
    </div>
  )
}

interface PasskeyTableProps {
  passkeys: readonly Passkey[]
  onDialog(dialog: Dialog): void
}

function PasskeyTable({ passkeys, onDialog }: PasskeyTableProps) {
  const { account, security } = useTexts()
  const formats = useFormats()
  const columns: Column<Passkey>[] = [
    { label: security.passkeyName, isLong: true, cell: ({ name }) => name },
    { label: security.passkeySince, cell: ({ createdAt }) => formats.date(createdAt) },
    {
      label: security.passkeyUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? security.never : formats.ago(lastUsedAt)),
    },
    {
      label: account.actions,
      cell: (passkey) => (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={security.renameOf(passkey.name)}
            onClick={() => onDialog({ kind: 'rename', passkey })}
          >
            {security.rename}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            aria-label={security.removeOf(passkey.name)}
            onClick={() => onDialog({ kind: 'remove', passkey })}
          >
            {security.remove}
          </Button>
        </Group>
      ),
    },
  ]
  return (
    <DataTable
      caption={security.passkeys}
      columns={columns}
      rows={passkeys}
      getKey={({ id }) => id}
    />
  )
}

interface NameDialogProps<Saved> {
  title: string
  name: string
  save(name: string): Promise<Saved>
  onSaved(saved: Saved): void
  onClose(): void
}

function NameDialog<Saved>({ title, name, save, onSaved, onClose }: NameDialogProps<Saved>) {
  const { frame, security } = useTexts()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name },
    validate: { name: (typed) => (typed.trim() ? null : frame.required) },
  })
  const saving = useFormSaving(form, {
    save: (typed: { name: string }) => save(typed.name.trim()),
    onSaved,
  })
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={saving.onSubmit} noValidate>
        <Stack>
          <TextInput
            label={security.passkeyName}
            description={security.passkeyNameHint}
            data-autofocus
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          {saving.error instanceof PasskeyDeclined ? (
            <Text size="sm" role="alert" c="red.9">
              {security.passkeyDeclined}
            </Text>
          ) : (
            <ErrorAlert error={saving.error} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {frame.cancel}
            </Button>
            <Button type="submit" loading={saving.isSaving}>
              {frame.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

interface RemovePasskeyProps {
  passkey: Passkey
  onRemoved(): void
  onClose(): void
}

function RemovePasskey({ passkey, onRemoved, onClose }: RemovePasskeyProps) {
  const { security } = useTexts()
  const saving = useSaving({ save: () => removePasskey(passkey.id), onSaved: onRemoved })
  return (
    <Confirm
      isOpen
      title={security.removeOf(passkey.name)}
      action={security.remove}
      saving={saving}
      onConfirm={() => saving.run(undefined)}
      onClose={onClose}
    >
      <Text size="sm">{security.passkeyRemoveHint}</Text>
    </Confirm>
  )
}
