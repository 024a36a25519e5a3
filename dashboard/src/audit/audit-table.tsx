/** Entries of the audit log, one a row. */

import { Anchor, Code, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useApiKeys } from '../api/api-keys'
import type { AuditEntry } from '../api/audit'
import { invoiceStatuses } from '../api/invoices'
import type { Catalogue } from '../i18n/catalogue'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { DataTable, type Column } from '../shown/data-table'
import classes from './audit-table.module.css'

export function AuditTable({ entries, isOld }: { entries: readonly AuditEntry[]; isOld: boolean }) {
  const texts = useTexts()
  const { audit } = texts
  const formats = useFormats()
  const columns: Column<AuditEntry>[] = [
    {
      label: audit.at,
      cell: ({ at }) => (
        <time dateTime={at} className={classes['time']}>
          {formats.exactTime(at)}
        </time>
      ),
    },
    { label: audit.actor, cell: ({ actor }) => <Actor actor={actor} /> },
    {
      label: audit.action,
      cell: ({ action }) => <span title={action}>{audit.actions[action] ?? action}</span>,
    },
    { label: audit.change, cell: (entry) => changeOf(entry, texts) },
    { label: audit.detail, isLong: true, cell: (entry) => <Detail entry={entry} /> },
  ]
  return (
    <DataTable
      caption={audit.title}
      columns={columns}
      rows={entries}
      keyOf={({ at, action, actor, invoiceId }) => `${at} ${action} ${actor} ${invoiceId ?? ''}`}
      isOld={isOld}
    />
  )
}

/** `user:name@example.com` as a person with an address, `api-key:…` by the key's name. */
function Actor({ actor }: { actor: string }) {
  const { audit } = useTexts()
  const apiKeys = useApiKeys()
  const colon = actor.indexOf(':')
  const [kind, name] = [actor.slice(0, colon), actor.slice(colon + 1)]
  const apiKey = kind === 'api-key' && apiKeys.data?.find(({ id }) => id === name)
  return (
    <>
      <Text span size="xs" c="dimmed" display="block">
        {audit.actors[kind] ?? kind}
      </Text>
      <span title={name}>{apiKey ? apiKey.name : name}</span>
    </>
  )
}

const shortDetail = 100

function Detail({ entry: { invoiceId, detail } }: { entry: AuditEntry }) {
  const { audit } = useTexts()
  return (
    <>
      {detail !== null && detail.length > shortDetail ? (
        <details className={classes['detail']}>
          <summary>{detail.slice(0, shortDetail)}…</summary>
          {detail}
        </details>
      ) : (
        detail
      )}
      {invoiceId !== null && (
        <Anchor component={Link} href={`/invoices/${invoiceId}`} size="xs" display="block">
          {audit.invoice} <Code>{invoiceId.slice(-8)}</Code>
        </Anchor>
      )}
    </>
  )
}

function changeOf({ from, to }: AuditEntry, { statuses }: Catalogue): string {
  const said = (status: string) => {
    const known = invoiceStatuses.find((candidate) => candidate === status)
    return known ? statuses[known] : status
  }
  if (to === null) return ''
  return from === null ? `→ ${said(to)}` : `${said(from)} → ${said(to)}`
}
