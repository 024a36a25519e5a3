/** `list`: the organization's invoices, by what narrows them. */

import { InvalidArgumentError, Option, type Command } from 'commander'
import type { EinvoicingClient, ListQuery, ListedInvoice } from '@einvoicing/client'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { amountText } from '../amounts'
import type { Action, Run } from '../run'
import { table } from '../table'
import { styledStatus } from '../verdict'

interface ListOptions {
  status?: string
  number?: string
  search?: string
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
  program
    .command('list')
    .description('List invoices, the newest first: a page of 20, or all.')
    .addOption(status)
    .option('--number <number>', 'of exactly this number')
    .option('--search <text>', "in numbers and buyers' names, or how a buyer's ICE begins")
    .option('--buyer-ice <ice>', 'to this buyer')
    .option('--from <date>', 'dated this day (YYYY-MM-DD) or later')
    .option('--to <date>', 'dated this day or earlier')
    .option('--sort <order>', 'such as amountTtc,desc or invoiceDate,asc')
    .option('--page <page>', 'from 0', wholeNumber)
    .option('--size <size>', 'invoices a page, up to 100', wholeNumber)
    .addOption(new Option('--all', 'every page').conflicts('page'))
    .action(action(list))
}

async function list(run: Run, options: ListOptions): Promise<void> {
  const client = run.connect()
  const query = queryOf(options)
  if (options.all === true) await printAll(run, client, query)
  else await printPage(run, client, query)
}

/** What it holds is the service's to judge, which says what is wrong with it. */
function queryOf({ number, from, to, all: _, ...query }: ListOptions): ListQuery {
  const given = { ...query, invoiceNumber: number, invoiceDateFrom: from, invoiceDateTo: to }
  return given as ListQuery
}

async function printPage(run: Run, client: EinvoicingClient, query: ListQuery): Promise<void> {
  const { content, page, totalPages, totalElements, last } = await client.listPage(query)
  printInvoices(run, content)
  if (run.isJson) return
  if (totalElements === 0) run.terminal.tell('There is no such invoice.')
  else {
    const next = last ? '' : `; the next: --page ${page + 1}, all: --all`
    const which = totalPages === 1 ? '' : `page ${page} of 0 to ${totalPages - 1}, `
    run.terminal.tell(`${which}${countText(totalElements)}${next}`)
  }
}

// Printed as they come: a column is as wide as its own page needs.
async function printAll(run: Run, client: EinvoicingClient, query: ListQuery): Promise<void> {
  let together: ListedInvoice[] = []
  let count = 0
  for await (const invoice of client.list(query)) {
    together.push(invoice)
    count += 1
    if (together.length < 100) continue
    printInvoices(run, together)
    together = []
  }
  printInvoices(run, together)
  if (!run.isJson) run.terminal.tell(countText(count))
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
  // Coloured after the columns are made, which count characters.
  const coloured = lines.map((line, at) => {
    const { status } = invoices[at] ?? {}
    return status ? line.replace(` ${status} `, ` ${styledStatus(status, terminal)} `) : line
  })
  terminal.print([terminal.styled('dim', head), ...coloured].join('\n'))
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}
