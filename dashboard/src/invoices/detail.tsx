import { Anchor, Skeleton, Text } from '@mantine/core'
import { Link, useParams } from 'wouter'
import { useInvoice, type Invoice } from '../api/invoice'
import { useFormats } from '../i18n/formats'
import { useTexts } from '../i18n/texts'
import { useSession } from '../session/session'
import { Icon } from '../components/icon'
import { CopyIcon } from '../components/copy-button'
import { lastListAddress } from '../components/last-list'
import { Page } from '../components/page'
import { Loaded } from '../components/states'
import { StatusChip } from '../components/status-chip'
import { Actions } from './actions'
import { CreditNotes } from './credit-notes'
import classes from './detail.module.css'
import { Documents } from './documents'
import { InvoiceLines } from './invoice-lines'
import { MoreDetails } from './more-details'
import { PrecedingInvoices } from './preceding-invoices'
import { SummaryItem } from './summary-item'
import { Timeline } from './timeline'
import { InvoiceTotals } from './totals-table'
import { DecisionAlert } from './decision-alert'

export function InvoiceDetail() {
  const { id } = useParams<{ id: string }>()
  const { credit, invoice: texts } = useTexts()
  const session = useSession()
  const query = useInvoice(id)
  const { type = 'INVOICE', invoiceNumber = '…' } = query.data ?? {}
  return (
    <>
      <Anchor
        component={Link}
        href={lastListAddress(session)}
        size="sm"
        className={classes['back'] ?? ''}
      >
        <Icon name="chevronLeft" /> {texts.back}
      </Anchor>
      <Page
        title={texts.titled(credit.types[type], invoiceNumber)}
        lead={query.data && <Lead invoice={query.data} />}
        actions={query.data && <Actions invoice={query.data} />}
      >
        <Loaded query={query} skeleton={<DetailSkeleton />}>
          {(invoice) => <Detail invoice={invoice} />}
        </Loaded>
      </Page>
    </>
  )
}

function Lead({ invoice }: { invoice: Invoice }) {
  const { statuses } = useTexts()
  const formats = useFormats()
  return (
    <span className={classes['lead']} role="status">
      <StatusChip status={invoice.status} />
      <Text span fw={650} c="var(--mantine-color-text)">
        {formats.amount(invoice.amountTtc, invoice.currency)}
      </Text>
      <Text span size="sm">
        {statuses.hints[invoice.status]}
      </Text>
    </span>
  )
}

function Detail({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  return (
    <div className={classes['parts']}>
      <div className={classes['wide']}>
        <DecisionAlert invoice={invoice} />
      </div>
      <div className={classes['main']}>
        <section className="panel">
          <h2 className={classes['heading']}>{texts.summary}</h2>
          <Summary invoice={invoice} />
        </section>
        <section className="panel">
          <h2 className={classes['heading']}>{texts.lines}</h2>
          <InvoiceLines invoice={invoice} />
          <InvoiceTotals invoice={invoice} />
        </section>
        <CreditNotes invoice={invoice} />
      </div>
      <div className={classes['aside']}>
        <section className="panel">
          <h2 className={classes['heading']}>{texts.history}</h2>
          <Timeline id={invoice.id} />
        </section>
      </div>
      <section className={`panel ${classes['wide']}`}>
        <h2 className={classes['heading']}>{texts.documents}</h2>
        <Documents invoice={invoice} />
      </section>
    </div>
  )
}

function Summary({ invoice }: { invoice: Invoice }) {
  const { invoice: texts } = useTexts()
  const formats = useFormats()
  const { id, dueDate, purchaseOrderNumber, dgiReference } = invoice
  return (
    <dl className={classes['summary']}>
      <div>
        <dt>{texts.buyer}</dt>
        <dd>
          <Buyer invoice={invoice} />
        </dd>
      </div>
      <SummaryItem label={texts.date}>{formats.date(invoice.invoiceDate)}</SummaryItem>
      <SummaryItem label={texts.dueDate}>
        {dueDate ? formats.date(dueDate) : texts.noDueDate}
      </SummaryItem>
      {purchaseOrderNumber !== null && (
        <SummaryItem label={texts.purchaseOrderNumber}>{purchaseOrderNumber}</SummaryItem>
      )}
      <SummaryItem label={texts.paymentMethod}>{texts.methods[invoice.paymentMethod]}</SummaryItem>
      <SummaryItem label={texts.currency}>{invoice.currency}</SummaryItem>
      <PrecedingInvoices invoice={invoice} />
      <MoreDetails invoice={invoice} />
      {dgiReference !== null && (
        <SummaryItem label={texts.reference} isCopied>
          {dgiReference}
        </SummaryItem>
      )}
      <SummaryItem label={texts.id} isCopied>
        {id}
      </SummaryItem>
    </dl>
  )
}

function Buyer({ invoice }: { invoice: Invoice }) {
  const { buyerName, buyerIce, buyerAddress } = invoice
  const { invoice: texts } = useTexts()
  return (
    <>
      <bdi className={classes['buyer']}>
        {buyerName ?? (buyerIce === null ? texts.noBuyer : texts.unnamedBuyer)}
      </bdi>
      {buyerIce !== null && (
        <span>
          ICE {buyerIce} <CopyIcon text={buyerIce} label="ICE" />
        </span>
      )}
      {buyerAddress !== null && <span dir="auto">{buyerAddress}</span>}
    </>
  )
}

function DetailSkeleton() {
  return (
    <div className={classes['parts']}>
      <div className={classes['main']}>
        <Skeleton height={180} radius="md" />
        <Skeleton height={320} radius="md" />
      </div>
      <div className={classes['aside']}>
        <Skeleton height={420} radius="md" />
      </div>
    </div>
  )
}
