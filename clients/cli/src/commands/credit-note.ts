import { InvalidArgumentError, type Command } from 'commander'
import { decimalLiteral } from '@einvoicing/client/invoice-json'
import { dayInMorocco } from '@einvoicing/domain/invoice-dates'
import { mayExist, rejectWaitForDraft, reportCreated, type CreationOptions } from '../creation'
import { findInvoiceId, invoiceArgument } from '../find-invoice'
import { adviseIfInterrupted, type Action, type Run } from '../run'

interface CreditedLine {
  lineNumber: number
  quantity: string
}

interface CreditOptions extends CreationOptions {
  number: string
  reason: string
  date?: string
  line?: CreditedLine[]
}

export function addCreditNoteCommand(program: Command, action: Action): void {
  program
    .command('credit-note')
    .description('Create a credit note of an invoice: of all of it, or of the lines given.')
    .addArgument(invoiceArgument())
    .requiredOption('--number <number>', 'number of the credit note')
    .requiredOption('--reason <text>', 'why the invoice is corrected')
    .option('--date <date>', 'date of the credit note (YYYY-MM-DD; default: today)')
    .option('--line <n=quantity>', 'quantity of line n to credit; may be repeated', addLine)
    .option('--draft', 'create a draft: do not sign it yet')
    .option('--wait', 'wait until it is ACCEPTED, REJECTED or FAILED')
    .option('--accept-existing', 'succeed if an identical credit note already exists')
    .action(action(create))
}

function addLine(text: string, lines: CreditedLine[] = []): CreditedLine[] {
  const { line, quantity } = /^(?<line>\d{1,9})=(?<quantity>.+)$/u.exec(text)?.groups ?? {}
  if (line !== undefined && quantity !== undefined && decimalLiteral.test(quantity)) {
    return [...lines, { lineNumber: Number(line), quantity }]
  }
  throw new InvalidArgumentError('Must be a line number and a quantity, for example 1=2.5.')
}

async function create(run: Run, which: string, options: CreditOptions): Promise<void> {
  const { number, reason, draft = false, wait = false, acceptExisting = false } = options
  rejectWaitForDraft(options)
  const client = run.connect()
  // Run again on another day, it must find the credit note of the first run.
  const existing =
    acceptExisting && options.date === undefined ? await client.find(number) : undefined
  const note = {
    invoiceNumber: number,
    invoiceDate: options.date ?? existing?.invoiceDate ?? dayInMorocco(new Date()),
    correctionReason: reason,
    ...(options.line && { lines: options.line }),
    ...(draft && { draft }),
  }
  const invoiceId = await findInvoiceId(client, which)
  const creation = client.creditInvoice(invoiceId, note, { acceptExisting })
  const created = await adviseIfInterrupted(run, creation, mayExist('credit note'))
  await reportCreated(run, { client, created, wait })
}
