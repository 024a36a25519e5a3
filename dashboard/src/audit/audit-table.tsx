import { translateAuditDetail } from '@einvoicing/domain/audit-details'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import { describeDevice } from '../account/device-name'
import { useApiKeys } from '../api/api-keys'
import type { NumberedEntry } from '../api/audit'
import type { Catalogue } from '../i18n/catalogue'
import { useFormats } from '../i18n/formats'
import { useLanguage, useTexts } from '../i18n/texts'
import { useActorName } from '../components/actor-name'
import { DataTable, type Column } from '../components/data-table'
import { isRawResponse, RawResponse } from '../components/raw-response'
import { TechnicalDetail } from '../components/technical-detail'
import classes from './audit-table.module.css'

export function AuditTable({
  entries,
  isStale,
}: {
  entries: readonly NumberedEntry[]
  isStale: boolean
}) {
  const texts = useTexts()
  const { audit } = texts
  const formats = useFormats()
  const columns: Column<NumberedEntry>[] = [
    {
      label: audit.at,
      cell: ({ at }) => (
        <time dateTime={at} className={classes['time']}>
          {formats.exactTime(at)}
        </time>
      ),
    },
    {
      label: audit.actor,
      cell: (entry) => (
        <>
          <Actor actor={entry.actor} />
          <From entry={entry} />
        </>
      ),
    },
    {
      label: audit.action,
      cell: ({ action }) => <span title={action}>{audit.actions[action] ?? action}</span>,
    },
    { label: audit.change, cell: (entry) => describeChange(entry, texts) },
    {
      label: audit.detail,
      isLong: true,
      cell: (entry) => (hasDetail(entry) ? <Detail entry={entry} /> : null),
    },
    { label: audit.place, cell: (entry) => <Place entry={entry} /> },
  ]
  return (
    <DataTable
      caption={audit.title}
      columns={columns}
      rows={entries}
      getKey={({ at, action, actor, invoiceId, hash }) =>
        hash ?? `${at} ${action} ${actor} ${invoiceId ?? ''}`
      }
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

function From({ entry: { network, device } }: { entry: NumberedEntry }) {
  const from = [network, device && describeDevice(device)].filter(Boolean).join(' · ')
  if (from === '') return null
  return (
    <Text span size="xs" c="dimmed" display="block" title={device ?? ''}>
      {from}
    </Text>
  )
}

const shortHash = 8

/** An entry from before the chain has none. */
function Place({ entry: { seq, hash } }: { entry: NumberedEntry }) {
  if (seq === null || hash === null) return null
  return (
    <span className={classes['place']} title={hash}>
      {seq}{' '}
      <Text span size="xs" c="dimmed" ff="monospace">
        {hash.slice(0, shortHash)}
      </Text>
    </span>
  )
}

const hasDetail = ({ invoiceId, detail }: NumberedEntry) => invoiceId !== null || Boolean(detail)

const shortDetail = 100

function Detail({ entry }: { entry: NumberedEntry }) {
  const { invoiceId, invoiceNumber, action, detail } = entry
  const { language, texts } = useLanguage()
  const { audit } = texts
  const apiKeys = useApiKeys()
  // A revoked key is named by its id.
  const named =
    apiKeys.data?.find(({ id }) => id === detail)?.name ??
    (detail && translateAuditDetail(action, detail, language))
  return (
    <>
      {invoiceId !== null && (
        <Anchor component={Link} href={`/invoices/${invoiceId}`} size="sm" display="block">
          {audit.invoice} {invoiceNumber ?? invoiceId.slice(-8)}
        </Anchor>
      )}
      {named !== null && <DetailText detail={named} isOfInvoice={invoiceId !== null} />}
    </>
  )
}

// A key may be named like an answer.
function DetailText({ detail, isOfInvoice }: { detail: string; isOfInvoice: boolean }) {
  if (isOfInvoice && isRawResponse(detail)) return <RawResponse text={detail} />
  if (isOfInvoice) return <TechnicalDetail>{detail}</TechnicalDetail>
  if (detail.length <= shortDetail) return detail
  return (
    <details className={classes['detail']}>
      <summary>{detail.slice(0, shortDetail)}…</summary>
      {detail}
    </details>
  )
}

function describeChange({ from, to }: NumberedEntry, { statuses }: Catalogue): string {
  const nameStatus = (status: string) => {
    const known = invoiceStatuses.find((candidate) => candidate === status)
    return known ? statuses[known] : status
  }
  if (to === null) return ''
  return from === null ? `→ ${nameStatus(to)}` : `${nameStatus(from)} → ${nameStatus(to)}`
}
