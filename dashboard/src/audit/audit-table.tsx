/** Entries of the audit log, one a row. */

import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { Anchor, Code, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { AuditEntry } from '../api/audit'
import type { Catalogue } from '../i18n/catalogue'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useActorName } from '../shown/actor-name'
import { DataTable, type Column } from '../shown/data-table'
import { isRawAnswer, RawAnswer } from '../shown/raw-answer'
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
      {detail !== null && <Told detail={detail} isOfInvoice={invoiceId !== null} />}
      {invoiceId !== null && (
        <Anchor component={Link} href={`/invoices/${invoiceId}`} size="xs" display="block">
          {audit.invoice} <Code>{invoiceId.slice(-8)}</Code>
        </Anchor>
      )}
    </>
  )
}

// A key may be named like an answer.
function Told({ detail, isOfInvoice }: { detail: string; isOfInvoice: boolean }) {
  if (isOfInvoice && isRawAnswer(detail)) return <RawAnswer text={detail} />
  if (detail.length <= shortDetail) return detail
  return (
    <details className={classes['detail']}>
      <summary>{detail.slice(0, shortDetail)}…</summary>
      {detail}
    </details>
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
