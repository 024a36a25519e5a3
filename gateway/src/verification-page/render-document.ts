import { readKind } from '@einvoicing/profile/document-kinds'
import { computeNet } from '@einvoicing/profile/payment-notes'
import { findVatCategory, stampDutyPercent } from '@einvoicing/profile/vat'
import { simulatorReferencePrefix } from '@einvoicing/domain/environment'
import { defaultInvoiceType, type InvoiceType } from '@einvoicing/domain/invoice-types'
import type { Credit } from '@einvoicing/proto/invoice'
import { sumCredits } from '../invoices/present-amounts'
import { createFormat, type Format } from './format'
import { html, type Html } from './html'
import type { Language } from './languages'
import { renderDecision, renderPage, type DecisionIcon } from './page'
import { renderDownloads, renderFile, renderSignature } from './render-proof'
import { renderRows } from './rows'
import {
  computeRemaining,
  findCredited,
  findDecision,
  type Decision,
  type ShownDocument,
} from './shown-document'
import { texts, type Texts } from './texts'

interface Shown extends ShownDocument {
  text: Texts
  format: Format
  kind: InvoiceType
}

export function renderDocument(language: Language, document: ShownDocument): string {
  const { invoice, url } = document
  const text = texts[language]
  const kind = (invoice.type ?? defaultInvoiceType) as InvoiceType
  const shown = { ...document, text, kind, format: createFormat(language, invoice.currency) }
  const body = html`${isTest(document) && html`<p class="test" role="note">${text.test}</p>`}
    ${renderState(shown)}
    <div class="cards">
      ${renderCredits(shown)} ${renderSeller(shown)} ${renderContent(shown)} ${renderAmounts(shown)}
      ${renderFile(shown)} ${renderSignature(shown)} ${renderDownloads(shown)}
    </div>`
  const title = `${text.kinds[kind]} ${invoice.invoiceNumber} – ${invoice.issuer?.name ?? ''}`
  const footer = url ? html`<p>${text.address} <bdi dir="ltr">${url}</bdi></p>` : html``
  return renderPage({ language, title, body, footer, withScript: true })
}

const isTest = ({ invoice, environment }: ShownDocument) =>
  environment === 'test' || invoice.dgiReference?.startsWith(simulatorReferencePrefix) === true

function renderState({ invoice, text, format, kind }: Shown): Html {
  const decision = findDecision(invoice)
  const credited = decision === 'accepted' ? findCredited(invoice) : undefined
  const { title, detail } = credited ? text.credited[credited] : text.decisions[decision]
  const colors: Record<Decision, DecisionIcon> = {
    accepted: 'accepted',
    waiting: 'waiting',
    rejected: 'rejected',
    failed: 'waiting',
    notSent: 'rejected',
  }
  const isWaiting = decision === 'waiting'
  const decidedAt = invoice.dgiValidatedAt ?? invoice.dgiRejectedAt
  const { dgiErrorCode, dgiErrorMessage } = invoice
  // Of a failure it is ours, and for the seller.
  const message = invoice.status === 'FAILED' ? undefined : dgiErrorMessage
  const reason = [dgiErrorCode, message].filter(Boolean).join(' – ')
  const what = html`<p>
    <strong>${text.kinds[kind]} <bdi>${invoice.invoiceNumber}</bdi></strong> ·
    <bdi>${invoice.issuer?.name}</bdi> · <bdi dir="ltr">${format.amount(invoice.amountTtc)}</bdi>
  </p>`
  const rows = renderRows([
    [text.reference, invoice.dgiReference],
    [text.decidedAt, decidedAt && format.time(decidedAt)],
    [text.sentAt, isWaiting && invoice.dgiSubmittedAt && format.time(invoice.dgiSubmittedAt)],
    [text.reason, reason],
  ])
  return renderDecision({
    kind: credited === 'whole' ? 'waiting' : colors[decision],
    title,
    body: html`${what}
      <p>${detail}</p>
      ${rows}`,
  })
}

function renderCredits(shown: Shown): Html {
  const { invoice, text, kind } = shown
  const items = invoice.credits?.items ?? []
  const { heading, none, isCredit } = text.credits
  const content =
    items.length > 0
      ? renderCreditTable(shown, items)
      : html`<p class="hint">${kind === 'CREDIT_NOTE' ? isCredit : none}</p>`
  return html`<section class="card wide">
    <h2>${heading}</h2>
    ${content}
  </section>`
}

function renderCreditTable({ invoice, text, format }: Shown, items: readonly Credit[]): Html {
  const { number, status, amount, total, remains, statuses } = text.credits
  const sum = sumCredits(items)
  const rows = items.map((credit) => {
    const decision = findDecision({ status: credit.status ?? 'SIGNED' })
    const state = decision === 'accepted' || decision === 'waiting' ? decision : 'failed'
    return html`<tr>
      <td><bdi>${credit.invoiceNumber}</bdi></td>
      <td>${statuses[state]}</td>
      <td class="sum"><bdi dir="ltr">${format.amount(credit.amountTtc)}</bdi></td>
    </tr>`
  })
  const last = ([label, minorUnits]: [string, number]) =>
    html`<tr>
      <td colspan="2">${label}</td>
      <td class="sum"><bdi dir="ltr">${format.amount(minorUnits)}</bdi></td>
    </tr>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${text.credits.heading}">
    <table>
      <thead>
        <tr>
          <th scope="col">${number}</th>
          <th scope="col">${status}</th>
          <th scope="col" class="sum">${amount}</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
      <tfoot>
        ${last([total, sum])}${last([remains, computeRemaining(invoice)])}
      </tfoot>
    </table>
  </div>`
}

function renderSeller({ invoice: { issuer }, text }: Shown): Html {
  const address = [issuer?.address, issuer?.city].filter(Boolean).join(', ')
  return html`<section class="card">
    <h2>${text.seller.heading}</h2>
    ${renderRows([
      [text.seller.name, issuer?.name],
      ['ICE', issuer?.ice],
      ['IF', issuer?.if],
      ['RC', issuer?.rc],
      [text.seller.address, address],
    ])}
  </section>`
}

function renderContent({ invoice, text, format, kind }: Shown): Html {
  const { document } = text
  const preceding = (invoice.precedingInvoices?.items ?? []).map(
    ({ invoiceNumber = '', invoiceDate }) =>
      html`<div>
        <bdi>${invoiceNumber}</bdi
        >${invoiceDate && ` ${document.ofDate} ${format.date(invoiceDate)}`}
      </div>`,
  )
  return html`<section class="card">
    <h2>${document.heading}</h2>
    ${renderRows([
      [document.type, text.kinds[kind]],
      [document.number, invoice.invoiceNumber],
      [document.date, format.date(invoice.invoiceDate)],
      [document.due, invoice.dueDate && format.date(invoice.dueDate)],
      [document.preceding, preceding.length > 0 && html`${preceding}`],
      [document.reason, invoice.correctionReason],
      [document.buyer, invoice.buyerName],
    ])}
  </section>`
}

type AmountRow = [label: Html | string, minorUnits: number, className?: string]

function renderAmounts(shown: Shown): Html {
  const { invoice, text, format } = shown
  const { heading, ht, vat, base, ttc } = text.amounts
  const row = ([label, minorUnits, className = '']: AmountRow) =>
    html`<dt class="${className}">${label}</dt>
      <dd class="sum ${className}"><bdi dir="ltr">${format.amount(minorUnits)}</bdi></dd>`
  const rates = invoice.vatSubtotals.map((subtotal) => {
    const { vatRate, vatAmount, taxableAmount } = subtotal
    const category = findVatCategory(subtotal)
    const name = html`${vat}
      <bdi dir="ltr">${category === 'S' ? format.percent(vatRate) : `0 % (${category})`}</bdi>
      ${base} <bdi dir="ltr">${format.amount(taxableAmount)}</bdi>`
    return row([name, vatAmount])
  })
  return html`<section class="card wide amounts">
    <h2>${heading}</h2>
    <dl>
      ${row([ht, invoice.amountHt])}${rates}${row([ttc, invoice.amountTtc, 'main'])}
      ${listPayment(shown).map((each) => row(each))}
    </dl>
  </section>`
}

function listPayment({ invoice, text: { amounts }, format, kind }: Shown): AmountRow[] {
  const { amountTtc, amountDue, stampDutyAmount: duty, vatWithheldAmount: withheld } = invoice
  const withRate = (name: string, rate: string | number | undefined) =>
    rate === undefined ? name : html`${name} <bdi dir="ltr">${format.percent(rate)}</bdi>`
  const rows: AmountRow[] = []
  if (amountDue !== undefined) rows.push([amounts.paid, amountDue - amountTtc])
  if (duty !== undefined) rows.push([withRate(amounts.duty, stampDutyPercent), duty])
  if (withheld !== undefined) {
    rows.push([withRate(amounts.withheld, invoice.vatWithholdingPercent), -withheld])
  }
  if (!readKind({ type: kind }).isPaid) return rows
  return [...rows, [amounts.due, computeNet(invoice).amount]]
}
