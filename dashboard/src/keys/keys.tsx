import { Badge, Button, Code, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiKeys, type ApiKey } from '../api/api-keys'
import type { Catalogue } from '../i18n/catalogue'
import { useFormats, type Formats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { DataTable, type Column } from '../components/data-table'
import { Icon } from '../components/icon'
import { Page } from '../components/page'
import { ReadOnlyNote } from '../components/read-only-note'
import { Empty, Loaded } from '../components/states'
import { isActive } from './key-state'
import { NewKeyDialog } from './new-key'
import { RevokeKey } from './revoke-key'
import { RotateKey } from './rotate-key'

type DialogRequest = 'create' | { kind: 'revoke' | 'rotate'; apiKey: ApiKey }

export function Keys() {
  const { keys } = useTexts()
  const { canManage } = useRights()
  const apiKeys = useApiKeys()
  const [dialog, setDialog] = useState<DialogRequest>()
  const close = () => setDialog(undefined)
  const createButton = canManage && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setDialog('create')}>
      {keys.create}
    </Button>
  )
  return (
    <Page title={keys.title} lead={keys.lead} actions={createButton}>
      {!canManage && <ReadOnlyNote />}
      <div className="panel">
        <Loaded query={apiKeys}>
          {(content) =>
            content.length === 0 ? (
              <Empty icon="key" title={keys.none}>
                <Text size="sm">{keys.noneHint}</Text>
              </Empty>
            ) : (
              <KeysTable content={content} onDialog={canManage ? setDialog : undefined} />
            )
          }
        </Loaded>
      </div>
      <NewKeyDialog isOpen={dialog === 'create'} onClose={close} />
      {typeof dialog === 'object' && dialog.kind === 'revoke' && (
        <RevokeKey apiKey={dialog.apiKey} onClose={close} />
      )}
      {typeof dialog === 'object' && dialog.kind === 'rotate' && (
        <RotateKey apiKey={dialog.apiKey} onClose={close} />
      )}
    </Page>
  )
}

interface KeysTableProps {
  content: readonly ApiKey[]
  onDialog: ((action: DialogRequest) => void) | undefined
}

function KeysTable({ content, onDialog }: KeysTableProps) {
  const { keys } = useTexts()
  const formats = useFormats()
  const [showsRevoked, setShowsRevoked] = useState(false)
  const visible = content.filter(({ revokedAt }) => showsRevoked || revokedAt === null)
  const columns = createColumns(keys, formats)
  const actions: Column<ApiKey> = {
    label: keys.actions,
    cell: (apiKey) =>
      apiKey.revokedAt === null && <KeyActions apiKey={apiKey} onDialog={onDialog} />,
  }
  return (
    <>
      {content.some(({ revokedAt }) => revokedAt !== null) && (
        <Switch
          mb="sm"
          label={keys.showRevoked}
          checked={showsRevoked}
          onChange={({ currentTarget }) => setShowsRevoked(currentTarget.checked)}
        />
      )}
      {visible.length === 0 ? (
        <Empty icon="key" title={keys.none} />
      ) : (
        <DataTable
          caption={keys.title}
          columns={onDialog ? [...columns, actions] : columns}
          rows={visible}
          getKey={({ id }) => id}
        />
      )}
    </>
  )
}

function KeyActions({
  apiKey,
  onDialog,
}: {
  apiKey: ApiKey
  onDialog: KeysTableProps['onDialog']
}) {
  const { keys } = useTexts()
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={keys.ofKey(keys.rotate, apiKey.name)}
        onClick={() => onDialog?.({ kind: 'rotate', apiKey })}
      >
        {keys.rotate}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={keys.ofKey(keys.revoke, apiKey.name)}
        onClick={() => onDialog?.({ kind: 'revoke', apiKey })}
      >
        {keys.revoke}
      </Button>
    </Group>
  )
}

function createColumns(keys: Catalogue['keys'], formats: Formats): Column<ApiKey>[] {
  return [
    {
      label: keys.name,
      cell: ({ name }) => (
        <Text inherit fw={600}>
          {name}
        </Text>
      ),
    },
    { label: keys.key, cell: ({ last4 }) => <Code>{`svc_sk_…${last4}`}</Code> },
    { label: keys.created, cell: ({ createdAt }) => formats.date(createdAt) },
    {
      label: keys.lastUsed,
      cell: ({ lastUsedAt, lastUsedNetwork }) =>
        lastUsedAt === null ? (
          keys.never
        ) : (
          <>
            {formats.ago(lastUsedAt)}
            {lastUsedNetwork !== null && (
              <Text size="xs" c="dimmed">
                {lastUsedNetwork}
              </Text>
            )}
          </>
        ),
    },
    { label: keys.limits, isLong: true, cell: (apiKey) => describeLimits(apiKey, keys, formats) },
    {
      label: keys.state,
      cell: (apiKey) =>
        isActive(apiKey) ? (
          <Badge variant="light" color="green" className="status-chip">
            {keys.active}
          </Badge>
        ) : (
          <Badge variant="light" color="gray" className="status-chip">
            {apiKey.revokedAt === null
              ? keys.expired
              : keys.revoked(formats.date(apiKey.revokedAt))}
          </Badge>
        ),
    },
  ]
}

function describeLimits(
  { scopes, expiresAt, allowedNetworks }: ApiKey,
  keys: Catalogue['keys'],
  formats: Formats,
): string {
  const [scope] = scopes
  const limits = [
    scopes.length === 1 && (scope === 'invoices:read' ? keys.accesses.read : keys.accesses.write),
    expiresAt !== null && keys.until(formats.date(expiresAt)),
    allowedNetworks.join(', '),
  ]
  return limits.filter((limit) => limit !== false && limit !== '').join(' · ') || keys.noLimits
}
