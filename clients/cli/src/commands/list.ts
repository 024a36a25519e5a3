import { InvalidArgumentError, Option, type Command } from 'commander'
import type { EinvoicingClient, ListQuery, ListedInvoice } from '@einvoicing/client'
import { invoiceTypes } from '@einvoicing/domain/invoice-types'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { amountText } from '../amounts'
import type { Action, Run } from '../run'
import { table } from '../table'
import { styledStatus } from '../decision'

interface ListOptions {
  status?: string
  number?: string
  search?: string
  type?: string
  of?: string
  buyerIce?: string
  from?: string
  to?: string
  sort?: string
  page?: number
  size?: number
  all?: boolean
}

export function addListCommand(program: Command, action: Action): void {
  const upper = (value: string) => value.toUpperCase()
  const status = new Option('--status <status>', invoiceStatuses.join(', ')).argParser(upper)
  const type = new Option('--type <type>', invoiceTypes.join(', ')).argParser(upper)
  program
    .command('list')
    .description('List invoices, newest first: a page of 20, or all.')
    .addOption(status)
    .option('--number <number>', 'with exactly this number')
    .option(
      '--search <text>',
      "text in the number or buyer's name, or the start of the buyer's ICE, the reference or the amount",
    )
    .addOption(type)
    .option(
      '--of <number>',
      'documents that refer to the invoice with this number, such as its credit notes',
    )
    .option('--buyer-ice <ice>', "buyer's ICE")
    .option('--from <date>', 'dated on or after this day (YYYY-MM-DD)')
    .option('--to <date>', 'dated on or before this day')
    .option('--sort <order>', 'for example amountTtc,desc or invoiceDate,asc')
    .option('--page <page>', 'page number, from 0', wholeNumber)
    .option('--size <size>', 'invoices per page, up to 100', wholeNumber)
    .addOption(new Option('--all', 'all pages').conflicts('page'))
    .action(action(list))
}

async function list(run: Run, options: ListOptions): Promise<void> {
  const client = run.connect()
  const query = toQuery(options)
  if (options.all === true) await printAll(run, client, query)
  else await printPage(run, client, query)
}

// The service checks the values and says what is wrong.
function toQuery({ number, of, from, to, all: _, ...query }: ListOptions): ListQuery {
  return {
    ...query,
    invoiceNumber: number,
    precedingInvoiceNumber: of,
    invoiceDateFrom: from,
    invoiceDateTo: to,
  } as ListQuery
}

async function printPage(run: Run, client: EinvoicingClient, query: ListQuery): Promise<void> {
  const { content, page, totalPages, totalElements, last } = await client.listPage(query)
  printInvoices(run, content)
  if (run.isJson) return
  if (totalElements === 0) run.terminal.printMessage('No invoices found.')
  else {
    const next = last ? '' : `; next page: --page ${page + 1}, all pages: --all`
    const which = totalPages === 1 ? '' : `page ${page} (0 to ${totalPages - 1}), `
    run.terminal.printMessage(`${which}${countText(totalElements)}${next}`)
  }
}

// Printed as they arrive, each hundred of a table with its own column widths.
async function printAll(run: Run, client: EinvoicingClient, query: ListQuery): Promise<void> {
  const atOnce = run.isJson ? 1 : 100
  let together: ListedInvoice[] = []
  let count = 0
  try {
    for await (const invoice of client.list(query)) {
      together.push(invoice)
      count += 1
      if (together.length < atOnce) continue
      printInvoices(run, together)
      together = []
    }
  } finally {
    printInvoices(run, together)
  }
  if (!run.isJson) run.terminal.printMessage(countText(count))
}

const countText = (count: number) => (count === 1 ? '1 invoice' : `${count} invoices`)

function printInvoices({ terminal, isJson }: Run, invoices: readonly ListedInvoice[]): void {
  if (isJson) {
    for (const invoice of invoices) terminal.printJson(invoice)
    return
  }
  if (invoices.length === 0) return
  const rows = invoices.map(({ invoiceNumber, invoiceDate, status, buyerName, ...rest }) => [
    invoiceNumber,
    invoiceDate,
    status,
    amountText(rest.amountTtc, rest.currency),
    buyerName ?? '',
    rest.id,
  ])
  const text = table(['number', 'date', 'status', 'amount', 'buyer', 'id'], rows, '<<<><<')
  const [head = '', ...lines] = text.split('\n')
  // Coloured after the columns are padded, which counts characters.
  const coloured = lines.map((line, at) => {
    const { status } = invoices[at] ?? {}
    return status ? line.replace(` ${status} `, ` ${styledStatus(status, terminal)} `) : line
  })
  terminal.print([terminal.styled('dim', head), ...coloured].join('\n'))
}

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number.')
}
