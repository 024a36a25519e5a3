/** The audit log: filtered, page by page, and as a file. */

import { Anchor, Button, Code, Text } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { auditCsvAddress, useAudit, type AuditEntry, type AuditFilter } from '../api/audit'
import { invoiceStatuses, type InvoiceStatus } from '../api/invoices'
import type { Catalogue } from '../i18n/catalogue'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { DataTable, type Column } from '../shown/data-table'
import { Icon } from '../shown/icon'
import { Page } from '../shown/page'
import { Pager } from '../shown/pager'
import { Empty, Lines, Loaded } from '../shown/states'
import { AuditFilters, filterNames } from './audit-filters'

export function Audit() {
  const { audit } = useTexts()
  const [parameters, setParameters] = useSearchParams()
  const filter = filterOf(parameters)
  const page = Math.max(0, Number(parameters.get('page') ?? 1) - 1 || 0)
  const query = useAudit(filter, page)
  const show = (changed: AuditFilter, nextPage: number) => {
    const given = Object.entries(changed).filter(([, value]) => value)
    setParameters({
      ...Object.fromEntries(given),
      ...(nextPage > 0 && { page: String(nextPage + 1) }),
    })
  }
  return (
    <Page
      title={audit.title}
      lead={audit.lead}
      actions={
        <Button
          component="a"
          href={auditCsvAddress(filter)}
          download
          variant="default"
          leftSection={<Icon name="download" />}
        >
          {audit.csv}
        </Button>
      }
    >
      <div className="panel">
        <AuditFilters filter={filter} onChange={(changed) => show(changed, 0)} />
        <Loaded query={query} skeleton={<Lines count={12} />}>
          {(data) =>
            data.content.length === 0 ? (
              <Empty icon="audit" title={audit.none}>
                <Text size="sm">{audit.noneTold}</Text>
              </Empty>
            ) : (
              <>
                <AuditTable entries={data.content} isOld={query.isPlaceholderData} />
                <Pager page={data} onPage={(next) => show(filter, next)} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

function AuditTable({ entries, isOld }: { entries: readonly AuditEntry[]; isOld: boolean }) {
  const texts = useTexts()
  const { audit } = texts
  const formats = useFormats()
  const columns: Column<AuditEntry>[] = [
    { label: audit.at, cell: ({ at }) => <time dateTime={at}>{formats.exactTime(at)}</time> },
    { label: audit.actor, cell: ({ actor }) => <Actor actor={actor} /> },
    {
      label: audit.action,
      cell: ({ action }) => <span title={action}>{audit.actions[action] ?? action}</span>,
    },
    { label: audit.change, cell: (entry) => changeOf(entry, texts) },
    { label: audit.detail, cell: (entry) => <Detail entry={entry} /> },
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

/** `user:name@example.com` as a person with an address. */
function Actor({ actor }: { actor: string }) {
  const { audit } = useTexts()
  const [kind = '', ...rest] = actor.split(':')
  return (
    <>
      <Text span size="xs" c="dimmed">
        {audit.actors[kind] ?? kind}
      </Text>{' '}
      {rest.join(':')}
    </>
  )
}

function Detail({ entry: { invoiceId, detail } }: { entry: AuditEntry }) {
  const { audit } = useTexts()
  return (
    <>
      {detail}
      {invoiceId !== null && (
        <Anchor href={`/dashboard/invoices/${invoiceId}`} size="xs" display="block">
          {audit.invoice} <Code>{invoiceId.slice(-8)}</Code>
        </Anchor>
      )}
    </>
  )
}

function changeOf({ from, to }: AuditEntry, { statuses }: Catalogue): string {
  const said = (status: string) => {
    const known = invoiceStatuses.find((candidate) => candidate === status)
    return known ? statuses[known satisfies InvoiceStatus] : status
  }
  if (to === null) return ''
  return from === null ? `→ ${said(to)}` : `${said(from)} → ${said(to)}`
}

const filterOf = (parameters: URLSearchParams): AuditFilter =>
  Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = parameters.get(name)
      return value ? [[name, value]] : []
    }),
  )
