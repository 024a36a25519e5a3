/** `create`: an invoice from a file or standard input, sent as it is. */

import type { Command } from 'commander'
import { amountText } from '../amounts'
import { readInput } from '../input'
import { UsageError } from '../outcome'
import type { Action, Run } from '../run'
import { plain } from '../terminal'
import { styledStatus, tellVerdict } from '../verdict'

interface CreateOptions {
  draft?: boolean
  wait?: boolean
  acceptExisting?: boolean
}

export function addCreateCommand(program: Command, action: Action): void {
  program
    .command('create')
    .summary('Create an invoice from a JSON file, or "-".')
    .description(
      'Create an invoice from a JSON file, or from standard input with "-". Its digits are sent as they are written.',
    )
    .argument('<file>', 'the body of POST /v1/invoices')
    .option('--draft', 'do not sign it yet')
    .option('--wait', 'wait until it is ACCEPTED, REJECTED or FAILED')
    .option('--accept-existing', 'be content where the very same invoice exists already')
    .action(action(create))
}

async function create(run: Run, file: string, options: CreateOptions): Promise<void> {
  const { draft = false, wait = false, acceptExisting = false } = options
  if (draft && wait) throw new UsageError('A draft gets no verdict: --draft or --wait, not both.')
  const client = run.connect()
  const text = (await readInput(run, file)).toString('utf8')
  // Editors of Windows begin a file with a mark that is no JSON.
  const json = text.replace(/^\ufeff/, '')
  const created = await client
    .createInvoice(draft ? asDraft(json) : json, { acceptExisting })
    .catch((error: unknown) => {
      if (run.interrupted.aborted) run.terminal.tell(mayExist)
      if (!(error instanceof TypeError)) throw error
      throw new UsageError(`${file}: ${error.message}`, { cause: error })
    })
  const { id, invoiceNumber, status, amountTtc, currency } = created
  if (!run.isJson) {
    const amount = amountText(amountTtc, currency)
    const styled = styledStatus(status, run.terminal)
    run.terminal.print(`${plain(invoiceNumber)} ${styled}, ${amount} including VAT\nid ${id}`)
  }
  if (wait) await tellVerdict(run, client, id)
  else if (run.isJson) run.terminal.printJson(created)
}

const mayExist =
  'The invoice may have been created: the same command with --accept-existing finds out.'

// Written into the text, so that its digits stay; of two members of a name the last one counts.
function asDraft(json: string): string {
  return /^\s*\{\s*\}/.test(json) ? json : json.replace(/\}\s*$/, ', "draft": true}')
}
