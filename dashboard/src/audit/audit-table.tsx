import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { Anchor, Code, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { AuditEntry } from '../api/audit'
import type { Catalogue } from '../i18n/catalogue'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useActorName } from '../components/actor-name'
import { DataTable, type Column } from '../components/data-table'
import { isRawResponse, RawResponse } from '../components/raw-response'
import classes from './audit-table.module.css'

export function AuditTable({
  entries,
  isStale,
}: {
  entries: readonly AuditEntry[]
  isStale: boolean
}) {
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
    { label: audit.change, cell: (entry) => describeChange(entry, texts) },
    { label: audit.detail, isLong: true, cell: (entry) => <Detail entry={entry} /> },
  ]
  return (
    <DataTable
      caption={audit.title}
      columns={columns}
      rows={entries}
      getKey={({ at, action, actor, invoiceId }) => `${at} ${action} ${actor} ${invoiceId ?? ''}`}
      isStale={isStale}
    />
  )
}

function Actor({ actor }: { actor: string }) {
  const { kind, name, id } = useActorName()(actor)
  return (
    <>
      <Text span size="xs" c="dimmed" display="block">
        {kind}
      </Text>
      <span title={id}>{name}</span>
    </>
  )
}

const shortDetail = 100

function Detail({ entry: { invoiceId, detail } }: { entry: AuditEntry }) {
  const { audit } = useTexts()
  return (
    <>
      {detail !== null && <EventHandlers detail={detail} isOfInvoice={invoiceId !== null} />}
      {invoiceId !== null && (
        <Anchor component={Link} href={`/invoices/${invoiceId}`} size="xs" display="block">
          {audit.invoice} <Code>{invoiceId.slice(-8)}</Code>
        </Anchor>
      )}
    </>
  )
}

// A key may be named like an answer.
function EventHandlers({ detail, isOfInvoice }: { detail: string; isOfInvoice: boolean }) {
  if (isOfInvoice && isRawResponse(detail)) return <RawResponse text={detail} />
  if (detail.length <= shortDetail) return detail
  return (
    <details className={classes['detail']}>
      <summary>{detail.slice(0, shortDetail)}…</summary>
      {detail}
    </details>
  )
}

function describeChange({ from, to }: AuditEntry, { statuses }: Catalogue): string {
  const nameStatus = (status: string) => {
    const known = invoiceStatuses.find((candidate) => candidate === status)
    return known ? statuses[known] : status
  }
  if (to === null) return ''
  return from === null ? `→ ${nameStatus(to)}` : `${nameStatus(from)} → ${nameStatus(to)}`
}
