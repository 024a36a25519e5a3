/** The API keys: who has one, when it was last used, and taking it away. */

import { Badge, Button, Code, Group, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiKeys, type ApiKey } from '../api/api-keys'
import type { Catalogue } from '../i18n/catalogue'
import { useFormats, type Formats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useRights } from '../session/session'
import { DataTable, type Column } from '../shown/data-table'
import { Icon } from '../shown/icon'
import { Page } from '../shown/page'
import { ReadOnlyNote } from '../shown/read-only-note'
import { Empty, Loaded } from '../shown/states'
import { NewKeyDialog } from './new-key'
import { RevokeKey } from './revoke-key'
import { RotateKey } from './rotate-key'

type Deed = 'create' | { kind: 'revoke' | 'rotate'; apiKey: ApiKey }

export function Keys() {
  const { keys } = useTexts()
  const { canManage } = useRights()
  const apiKeys = useApiKeys()
  const [deed, setDeed] = useState<Deed>()
  const stop = () => setDeed(undefined)
  const createButton = canManage && (
    <Button leftSection={<Icon name="plus" />} onClick={() => setDeed('create')}>
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
                <Text size="sm">{keys.noneTold}</Text>
              </Empty>
            ) : (
              <KeysTable content={content} onDeed={canManage ? setDeed : undefined} />
            )
          }
        </Loaded>
      </div>
      <NewKeyDialog isOpen={deed === 'create'} onClose={stop} />
      {typeof deed === 'object' && deed.kind === 'revoke' && (
        <RevokeKey apiKey={deed.apiKey} onClose={stop} />
      )}
      {typeof deed === 'object' && deed.kind === 'rotate' && (
        <RotateKey apiKey={deed.apiKey} onClose={stop} />
      )}
    </Page>
  )
}

interface KeysTableProps {
  content: readonly ApiKey[]
  onDeed: ((deed: Deed) => void) | undefined
}

function KeysTable({ content, onDeed }: KeysTableProps) {
  const { keys } = useTexts()
  const formats = useFormats()
  const [showsRevoked, setShowsRevoked] = useState(false)
  const shown = content.filter(({ revokedAt }) => showsRevoked || revokedAt === null)
  const columns = columnsOf(keys, formats)
  const actions: Column<ApiKey> = {
    label: keys.actions,
    cell: (apiKey) => apiKey.revokedAt === null && <KeyActions apiKey={apiKey} onDeed={onDeed} />,
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
      {shown.length === 0 ? (
        <Empty icon="key" title={keys.none} />
      ) : (
        <DataTable
          caption={keys.title}
          columns={onDeed ? [...columns, actions] : columns}
          rows={shown}
          keyOf={({ id }) => id}
        />
      )}
    </>
  )
}

function KeyActions({ apiKey, onDeed }: { apiKey: ApiKey; onDeed: KeysTableProps['onDeed'] }) {
  const { keys } = useTexts()
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={keys.ofKey(keys.rotate, apiKey.name)}
        onClick={() => onDeed?.({ kind: 'rotate', apiKey })}
      >
        {keys.rotate}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        aria-label={keys.ofKey(keys.revoke, apiKey.name)}
        onClick={() => onDeed?.({ kind: 'revoke', apiKey })}
      >
        {keys.revoke}
      </Button>
    </Group>
  )
}

function columnsOf(keys: Catalogue['keys'], formats: Formats): Column<ApiKey>[] {
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
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? keys.never : formats.ago(lastUsedAt)),
    },
    {
      label: keys.state,
      cell: ({ revokedAt }) =>
        revokedAt === null ? (
          <Badge variant="light" color="green" className="status-chip">
            {keys.active}
          </Badge>
        ) : (
          <Badge variant="light" color="gray" className="status-chip">
            {keys.revoked(formats.date(revokedAt))}
          </Badge>
        ),
    },
  ]
}
