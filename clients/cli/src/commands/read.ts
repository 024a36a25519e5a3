import type { Command } from 'commander'
import type { Invoice } from '@einvoicing/client'
import { amountText } from '../amounts'
import type { Action, Run } from '../run'
import { formatProperties, table, type Property } from '../table'
import { escapeControls, type Terminal } from '../terminal'
import { statusText, awaitDecision } from '../decision'
import { findInvoiceId, invoiceArgument } from '../find-invoice'

export function addReadCommands(program: Command, action: Action): void {
  program
    .command('get')
    .description('Show one invoice with its lines and the tax authority’s answer.')
    .addArgument(invoiceArgument())
    .action(action(get))
  program
    .command('status')
    .description('Show the clearance status of one invoice.')
    .addArgument(invoiceArgument())
    .option('--wait', 'wait until it is ACCEPTED, REJECTED or FAILED')
    .action(action(status))
}

async function get(run: Run, which: string): Promise<void> {
  const client = run.connect()
  const invoice = await client.get(await findInvoiceId(client, which))
  if (run.isJson) run.terminal.printJson(invoice)
  else run.terminal.print(invoiceText(invoice, run.terminal))
}

async function status(run: Run, which: string, { wait }: { wait?: boolean }): Promise<void> {
  const client = run.connect()
  const id = await findInvoiceId(client, which)
  if (wait === true) {
    await awaitDecision(run, client, { id })
    return
  }
  const now = await client.status(id)
  if (run.isJson) run.terminal.printJson(now)
  else run.terminal.print(statusText(now, run.terminal))
}

function invoiceText(invoice: Invoice, terminal: Terminal): string {
  const { currency } = invoice
  const buyer = [
    ...[invoice.buyerName, invoice.buyerIce, invoice.buyerIf, invoice.buyerAddress],
    ...[invoice.buyerCity, invoice.buyerCountry, invoice.buyerType],
  ]
  const properties: Property[] = [
    ['id', invoice.id],
    ['from', `${invoice.issuerName} (${invoice.issuerIce})`],
    ['to', buyer.filter((part) => part !== null).join(', ') || 'a consumer'],
    ['dated', invoice.invoiceDate],
    ['due date', invoice.dueDate],
    ['type', invoice.type === 'INVOICE' ? null : invoice.type],
    ['refers to', precedingText(invoice.precedingInvoices)],
    ['correction', invoice.correctionReason],
    ['order', invoice.purchaseOrderNumber],
    ['buyer ref.', invoice.buyerReference],
    ['contract', invoice.contractNumber],
    ['delivery note', invoice.deliveryNoteNumber],
    ['period', structureText(invoice.servicePeriod)],
    ['delivered', invoice.deliveryDate],
    ['to place', invoice.deliveryAddress],
    ['to country', invoice.deliveryCountry],
    ['paid by', invoice.paymentMethod],
    ['terms', invoice.paymentTerms],
    ['payment ref.', invoice.paymentReference],
    ['account', structureText(invoice.paymentAccount)],
    ['note', invoice.note],
  ]
  const lines = invoice.lines.map((line) => [
    String(line.lineNumber),
    line.description,
    `${line.quantity}${line.unit === null ? '' : ` ${line.unit}`}`,
    String(line.unitPrice),
    `${line.vatRate} %`,
    amountText(line.amountHt, currency),
  ])
  const totals = [
    ...adjustmentRows(invoice),
    ['excluding VAT', amountText(invoice.amountHt, currency)],
    ['VAT', amountText(invoice.amountVat, currency)],
    ['including VAT', amountText(invoice.amountTtc, currency)],
    ...paymentRows(invoice),
  ]
  return [
    `${terminal.styled('bold', escapeControls(invoice.invoiceNumber))} ${statusText(invoice, terminal)}`,
    ...formatProperties(properties, terminal),
    '',
    table(['#', 'description', 'quantity', 'price', 'VAT', 'amount'], lines, '<<>>>>'),
    '',
    table([], totals, '<>'),
  ].join('\n')
}

type Row = [label: string, amount: string]

function adjustmentRows(invoice: Invoice): Row[] {
  const { currency, lineTotalHt, allowances, charges } = invoice
  const rows = (sent: Invoice['allowances'], sign: number) =>
    (sent ?? []).map(({ reason, amount }): Row => [reason, amountText(sign * amount, currency)])
  const adjustments = [...rows(allowances, -1), ...rows(charges, 1)]
  return adjustments.length === 0
    ? []
    : [['lines', amountText(lineTotalHt, currency)], ...adjustments]
}

function paymentRows(invoice: Invoice): Row[] {
  const { currency, prepaidAmount, amountDue, stampDutyAmount, vatWithheldAmount } = invoice
  const rows: [string, number | null][] = [
    ['prepaid', prepaidAmount],
    ['due', prepaidAmount === null ? null : amountDue],
    ['stamp duty', invoice.stampDuty === true ? stampDutyAmount : null],
    [`VAT withheld (${invoice.vatWithholdingPercent} %)`, vatWithheldAmount],
  ]
  return rows.flatMap(([label, amount]): Row[] =>
    amount === null ? [] : [[label, amountText(amount, currency)]],
  )
}

function precedingText(preceding: Invoice['precedingInvoices']): string | null {
  if (preceding === null) return null
  return preceding
    .map(({ invoiceNumber, invoiceDate }) => `${invoiceNumber} of ${invoiceDate}`)
    .join(', ')
}

/** `from 2026-01-01, to 2026-01-31` */
function structureText(fields: Readonly<Record<string, string | null>> | null): string | null {
  if (fields === null) return null
  const filled = Object.entries(fields).filter(([, value]) => value !== null)
  return filled.map(([name, value]) => `${name} ${value}`).join(', ')
}
