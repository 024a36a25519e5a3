import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { Anchor, Button, Code, NativeSelect, Skeleton, Text } from '@mantine/core'
import { Link, useSearchParams } from 'wouter'
import { useOverview, type Overview as Statistics } from '../api/overview'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { Page } from '../components/page'
import { Empty, Loaded } from '../components/states'
import { StatusChip } from '../components/status-chip'
import { Certificate } from './certificate'
import { DayBars } from './day-bars'
import classes from './overview.module.css'

const spans = [7, 30, 90] as const
const spanDefault = 30

export function Overview() {
  const { overview } = useTexts()
  const [parameters, setParameters] = useSearchParams()
  const days = spans.find((span) => String(span) === parameters.get('days')) ?? spanDefault
  const query = useOverview(days)
  return (
    <Page
      title={overview.title}
      lead={overview.lead}
      actions={
        <NativeSelect
          aria-label={overview.span}
          data={spans.map((span) => ({ value: String(span), label: overview.days(span) }))}
          value={String(days)}
          onChange={({ currentTarget }) =>
            setParameters({ days: currentTarget.value }, { replace: true })
          }
        />
      }
    >
      <Loaded query={query} skeleton={<OverviewSkeleton />}>
        {(statistics) => <Parts statistics={statistics} />}
      </Loaded>
    </Page>
  )
}

function Parts({ statistics }: { statistics: Statistics }) {
  const { overview } = useTexts()
  const isNew = invoiceStatuses.every((status) => statistics.statuses[status] === 0)
  if (isNew) {
    return (
      <div className={classes['parts']}>
        <div className={classes['wide']}>
          <Empty icon="overview" title={overview.none}>
            <Text size="sm">{overview.noneHint}</Text>
            <Button component={Link} href="/start">
              {overview.start}
            </Button>
          </Empty>
        </div>
        <Certificate certificate={statistics.certificate} />
      </div>
    )
  }
  return (
    <>
      <Statuses statistics={statistics} />
      <div className={classes['parts']}>
        <DayBars title={overview.perDay} days={statistics.days} getValue={(day) => day.invoices} />
        {sortCurrencies(statistics.currencies).map((currency) => (
          <DayBars
            key={currency}
            title={overview.amountPerDay(currency)}
            days={statistics.days}
            currency={currency}
            getValue={(day) => day.amountTtc[currency] ?? 0}
          />
        ))}
        <Clearance statistics={statistics} />
        <Rejections statistics={statistics} />
        <Certificate certificate={statistics.certificate} />
      </div>
    </>
  )
}

function Statuses({ statistics: { statuses } }: { statistics: Statistics }) {
  const texts = useTexts()
  const formats = useFormats()
  return (
    <nav aria-label={texts.overview.statuses}>
      <ul className={classes['statuses']}>
        {invoiceStatuses.map((status) => {
          const count = formats.number(statuses[status])
          return (
            <li key={status} className="panel">
              <Link href={`/invoices?status=${status}`} className={classes['status'] ?? ''}>
                <span className={classes['count']}>{count}</span> <StatusChip status={status} />
                <span className="visually-hidden">, {texts.overview.see}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

const sortCurrencies = (currencies: Statistics['currencies']) =>
  currencies.toSorted((one, other) => Number(other === 'MAD') - Number(one === 'MAD'))

function Clearance({ statistics: { clearance } }: { statistics: Statistics }) {
  const { overview } = useTexts()
  const formats = useFormats()
  const { count, medianMs, p95Ms } = clearance
  return (
    <section className="panel">
      <h2 className={classes['heading']}>{overview.clearance}</h2>
      {medianMs === null || p95Ms === null ? (
        <Text c="dimmed">{overview.noneDecided}</Text>
      ) : (
        <>
          <dl className={classes['delays']}>
            <div>
              <dt>{overview.median}</dt>
              <dd>{formats.duration(medianMs)}</dd>
            </div>
            <div>
              <dt>{overview.p95}</dt>
              <dd>{formats.duration(p95Ms)}</dd>
            </div>
          </dl>
          <Text size="sm" c="dimmed">
            {overview.clearanceHint(count, formats.number(count))}
          </Text>
        </>
      )}
    </section>
  )
}

function Rejections({ statistics }: { statistics: Statistics }) {
  const { overview, rejections } = useTexts()
  const formats = useFormats()
  const failed = statistics.statuses['FAILED']
  return (
    <section className="panel">
      <h2 className={classes['heading']}>{overview.rejections}</h2>
      {failed > 0 && (
        <Text size="sm" mb="sm">
          <Anchor component={Link} href="/invoices?status=FAILED" inherit>
            {overview.failed(failed, formats.number(failed))}
          </Anchor>
        </Text>
      )}
      {statistics.rejections.length === 0 ? (
        <Text c="dimmed">{overview.noRejection}</Text>
      ) : (
        <>
          <ul className={classes['rejections']}>
            {statistics.rejections.map(({ errorCode, count }) => {
              const { means, next } = rejections.byCode[errorCode] ?? rejections.unknown
              return (
                <li key={errorCode}>
                  <Text size="sm" fw={600}>
                    {overview.times(formats.number(count))} <Code>{errorCode}</Code>
                  </Text>
                  <Text size="sm">{means}</Text>
                  <Text size="sm" c="dimmed">
                    {next}
                  </Text>
                </li>
              )
            })}
          </ul>
          <Anchor component={Link} href="/invoices?status=REJECTED" size="sm">
            {overview.seeRejected}
          </Anchor>
        </>
      )}
    </section>
  )
}

function OverviewSkeleton() {
  return (
    <>
      <div className={classes['statuses']}>
        {invoiceStatuses.map((status) => (
          <Skeleton key={status} height={106} radius="md" />
        ))}
      </div>
      <div className={classes['parts']}>
        {[0, 1, 2, 3].map((part) => (
          <Skeleton key={part} height={280} radius="md" />
        ))}
      </div>
    </>
  )
}
