import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  removeTotp,
  renewRecoveryCodes,
  secondFactorsKey,
  useSecondFactors,
  type SecondFactors,
} from '../api/second-factor'
import { Confirm } from '../components/confirm'
import { ErrorAlert } from '../components/error-alert'
import { useSaving } from '../components/saving'
import { Loaded } from '../components/states'
import { useTexts } from '../i18n/texts'
import { AuthenticatorSetup } from './authenticator-setup'
import { Passkeys } from './passkeys'
import { RecoveryCodes } from './recovery-codes'

export interface SecurityProps {
  /** After a second factor was set up and its recovery codes were seen. */
  onSetUp?(): void
}

export function Security({ onSetUp }: SecurityProps) {
  const query = useSecondFactors()
  const queries = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const refresh = () => void queries.invalidateQueries({ queryKey: secondFactorsKey })
  const show = (next: readonly string[]) => {
    refresh()
    if (next.length > 0) setCodes(next)
    else onSetUp?.()
  }
  return (
    <Loaded query={query}>
      {(factors) => (
        <Stack gap="xl">
          <Authenticator factors={factors} onCodes={show} onChanged={refresh} />
          <Passkeys passkeys={factors.passkeys} onAdded={show} onChanged={refresh} />
          {(factors.totp || factors.passkeys.length > 0) && (
            <Codes left={factors.recoveryCodesLeft} onCodes={show} />
          )}
          {codes && (
            <RecoveryCodes
              codes={codes}
              onClose={() => {
                setCodes(undefined)
                onSetUp?.()
              }}
            />
          )}
        </Stack>
      )}
    </Loaded>
  )
}

interface AuthenticatorProps {
  factors: SecondFactors
  onCodes(codes: readonly string[]): void
  onChanged(): void
}

function Authenticator({ factors, onCodes, onChanged }: AuthenticatorProps) {
  const { security } = useTexts()
  const [dialog, setDialog] = useState<'set-up' | 'remove'>()
  const close = () => setDialog(undefined)
  const removing = useSaving({
    save: removeTotp,
    onSaved: () => {
      close()
      onChanged()
      notifications.show({ message: security.totpRemoved, color: 'green' })
    },
  })
  return (
    <div>
      <Group gap="xs">
        <Title order={3} size="h5">
          {security.totp}
        </Title>
        <Badge variant="light" color={factors.totp ? 'green' : 'gray'} className="status-chip">
          {factors.totp ? security.on : security.off}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {security.totpHint}
      </Text>
      <Group>
        <Button variant="default" onClick={() => setDialog('set-up')}>
          {factors.totp ? security.totpReplace : security.totpSetUp}
        </Button>
        {factors.totp && (
          <Button variant="subtle" color="red" onClick={() => setDialog('remove')}>
            {security.totpRemove}
          </Button>
        )}
      </Group>
      {dialog === 'set-up' && (
        <AuthenticatorSetup
          onClose={close}
          onDone={(codes) => {
            close()
            onCodes(codes)
          }}
        />
      )}
      <Confirm
        isOpen={dialog === 'remove'}
        title={security.totpRemoveTitle}
        action={security.totpRemove}
        saving={removing}
        onConfirm={() => removing.run(undefined)}
        onClose={close}
      >
        <Text size="sm">{security.totpRemoveHint}</Text>
      </Confirm>
    </div>
  )
}

function Codes({ left, onCodes }: { left: number; onCodes(codes: readonly string[]): void }) {
  const { security } = useTexts()
  const renewing = useSaving({
    save: renewRecoveryCodes,
    onSaved: ({ recoveryCodes }) => onCodes(recoveryCodes),
  })
  return (
    <div>
      <Title order={3} size="h5">
        {security.codes}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {security.codesLeft(left)}
      </Text>
      <Button variant="default" loading={renewing.isSaving} onClick={() => renewing.run(undefined)}>
        {security.codesRenew}
      </Button>
      <ErrorAlert error={renewing.error} />
    </div>
  )
}
