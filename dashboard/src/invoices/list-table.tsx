import { NativeSelect, Text, UnstyledButton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ListedInvoice } from '../api/invoices'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useInvoiceEvents } from '../live/invoice-events'
import { DataTable, type Column } from '../components/data-table'
import { Icon } from '../components/icon'
import { StatusChip } from '../components/status-chip'
import classes from './list.module.css'

export interface ListTableProps {
  invoices: readonly ListedInvoice[]
  sort: string
  onSort(sort: string): void
  isStale: boolean
}

export function ListTable({ invoices, sort, onSort, isStale }: ListTableProps) {
  const texts = useTexts()
  const { changed, announcement } = useChanges(invoices)
  const columns = useColumns(sort, onSort)
  const orders = {
    ...texts.invoices.orders,
    ...(!(sort in texts.invoices.orders) && { [sort]: sort }),
  }
  return (
    <>
      <NativeSelect
        className={classes['order'] ?? ''}
        label={texts.invoices.sort}
        data={Object.entries(orders).map(([value, label]) => ({ value, label }))}
        value={sort}
        onChange={({ currentTarget }) => onSort(currentTarget.value)}
      />
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      <DataTable
        caption={texts.invoices.title}
        columns={columns}
        rows={invoices}
        getKey={({ id }) => id}
        rowClass={({ id }) => `${classes['row']} ${changed.has(id) ? classes['changed'] : ''}`}
        isStale={isStale}
      />
    </>
  )
}

function useColumns(sort: string, onSort: (sort: string) => void): Column<ListedInvoice>[] {
  const { credit, invoices } = useTexts()
  const formats = useFormats()
  const [sortedBy, direction] = sort.split(',')
  const sortable = (property: string, label: string) => {
    const isSorted = property === sortedBy
    const isDescending = direction === 'desc'
    const next = isSorted && !isDescending ? 'desc' : 'asc'
    return {
      label,
      sorted: isSorted ? (isDescending ? 'descending' : 'ascending') : 'none',
      head: (
        <UnstyledButton
          className={classes['sort'] ?? ''}
          title={invoices.sortBy(label)}
          data-sorted={isSorted ? direction : undefined}
          onClick={() => onSort(`${property},${next}`)}
        >
          {label}
          <Icon name="chevronDown" size={11} />
        </UnstyledButton>
      ),
    } as const
  }
  return [
    {
      ...sortable('invoiceNumber', invoices.number),
      isLong: true,
      cell: ({ id, invoiceNumber }) => (
        <Link href={`/invoices/${id}`} className={classes['open'] ?? ''}>
          {invoiceNumber}
        </Link>
      ),
    },
    {
      ...sortable('status', invoices.status),
      cell: ({ status }) => <StatusChip status={status} />,
    },
    {
      ...sortable('buyerName', invoices.buyer),
      isLong: true,
      cell: ({ buyerName, buyerIce }) =>
        buyerName === null ? (
          <Text span inherit c="dimmed">
            {buyerIce === null ? invoices.consumer : invoices.unnamed}
          </Text>
        ) : (
          <bdi>{buyerName}</bdi>
        ),
    },
    {
      label: 'ICE',
      cell: ({ buyerIce }) => <span className={classes['digits']}>{buyerIce ?? '–'}</span>,
    },
    {
      ...sortable('invoiceDate', invoices.date),
      cell: ({ invoiceDate }) => (
        <time dateTime={invoiceDate} className={classes['date']}>
          {formats.date(invoiceDate)}
        </time>
      ),
    },
    {
      ...sortable('amountTtc', invoices.ttc),
      isNumber: true,
      cell: ({ amountTtc, currency }) => formats.amount(amountTtc, currency),
    },
    { label: credit.type, cell: ({ type }) => <span data-type={type}>{credit.types[type]}</span> },
  ]
}

const changedForMs = 4_000

/** The changed rows, and the last change in words for screen readers. */
function useChanges(invoices: readonly ListedInvoice[]) {
  const texts = useTexts()
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const [announcement, setAnnouncement] = useState('')
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const pending = timers.current
    return () => pending.forEach(clearTimeout)
  }, [])
  useInvoiceEvents(({ invoiceId, invoiceNumber, status }) => {
    setChanged((before) => new Set(before).add(invoiceId))
    if (invoices.some(({ id }) => id === invoiceId)) {
      setAnnouncement(texts.invoices.became(invoiceNumber, texts.statuses[status]))
    }
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      setChanged((before) => new Set([...before].filter((id) => id !== invoiceId)))
    }, changedForMs)
    timers.current.add(timer)
  })
  return { changed, announcement }
}
