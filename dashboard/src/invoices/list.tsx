import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { invoicesKey, listInvoices, type InvoicePage } from '../api/invoices'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useRights, useSession } from '../session/session'
import { Icon } from '../components/icon'
import { rememberList } from '../components/last-list'
import { Page } from '../components/page'
import { usePageThatExists } from '../components/page-number'
import { Pager } from '../components/pager'
import { Empty, Lines, Loaded } from '../components/states'
import { toQuery, pageSizes, useListView, type ListView } from './list-filter'
import { ListFilters } from './list-filters'
import { ListTable } from './list-table'
import classes from './list.module.css'
import { PageTotals } from './page-totals'

export function InvoiceList() {
  const { invoices } = useTexts()
  const { canWrite } = useRights()
  const session = useSession()
  const [view, show] = useListView()
  const parameters = toQuery(view)
  const query = useQuery({
    queryKey: [...invoicesKey, 'list', parameters],
    queryFn: ({ signal }) => listInvoices(parameters, signal),
    placeholderData: keepPreviousData,
  })
  usePageThatExists(query.data, view.page, (page) => show({ page }, { replace: true }))
  useEffect(() => rememberList(session, window.location.search.slice(1)))
  const isFiltered = Object.keys(view.filter).length > 0
  return (
    <Page title={invoices.title} lead={invoices.lead} actions={canWrite && <CreateButton />}>
      <div className="panel">
        <ListFilters
          filter={view.filter}
          onChange={(filter, options) => show({ filter }, options)}
        />
        <Loaded query={query} skeleton={<Lines count={12} height={48} />}>
          {(data) =>
            data.totalElements === 0 ? (
              <Nothing isFiltered={isFiltered} onClear={() => show({ filter: {} })} />
            ) : (
              <>
                <ListTable
                  invoices={data.content}
                  sort={view.sort}
                  onSort={(sort) => show({ sort })}
                  isStale={query.isPlaceholderData}
                />
                <Foot data={data} view={view} show={show} />
              </>
            )
          }
        </Loaded>
      </div>
    </Page>
  )
}

type Show = ReturnType<typeof useListView>[1]

function CreateButton() {
  const { invoices } = useTexts()
  return (
    <Button component={Link} href="/invoices/new" leftSection={<Icon name="plus" />}>
      {invoices.create}
    </Button>
  )
}

interface FootProps {
  data: InvoicePage
  view: ListView
  show: Show
}

function Foot({ data, view, show }: FootProps) {
  const { invoices } = useTexts()
  const formats = useFormats()
  const total = data.totalElements
  return (
    <div className={classes['foot']}>
      <Group gap="md">
        <Text size="sm" c="dimmed" role="status">
          {invoices.total(total, formats.number(total))}
        </Text>
        <PageTotals data={data} />
        <label className={classes['size']}>
          <Text span size="sm" c="dimmed">
            {invoices.pageSize}
          </Text>
          <NativeSelect
            size="xs"
            data={pageSizes.map(String)}
            value={String(view.size)}
            onChange={({ currentTarget }) => show({ size: Number(currentTarget.value) })}
          />
        </label>
      </Group>
      <Pager page={data} onPage={(page) => show({ page })} />
    </div>
  )
}

interface NothingProps {
  isFiltered: boolean
  onClear(): void
}

function Nothing({ isFiltered, onClear }: NothingProps) {
  const { invoices } = useTexts()
  const { canWrite } = useRights()
  if (isFiltered) {
    return (
      <Empty icon="search" title={invoices.noMatch}>
        <Text size="sm">{invoices.noMatchHint}</Text>
        <Button variant="default" onClick={onClear}>
          {invoices.clear}
        </Button>
      </Empty>
    )
  }
  return (
    <Empty icon="document" title={invoices.none}>
      <Text size="sm">{invoices.noneHint}</Text>
      <Group justify="center" mt="xs">
        <Button component={Link} href="/start" variant={canWrite ? 'default' : 'filled'}>
          {invoices.toStart}
        </Button>
        {canWrite && <CreateButton />}
      </Group>
    </Empty>
  )
}
