import type { Command } from 'commander'
import { limits } from '@einvoicing/domain/limits'
import { mayExist, rejectWaitForDraft, reportCreated, type CreationOptions } from '../creation'
import { readText } from '../input'
import { UsageError } from '../outcome'
import { adviseIfInterrupted, type Action, type Run } from '../run'

export function addCreateCommand(program: Command, action: Action): void {
  program
    .command('create')
    .summary('Create an invoice from a JSON file, or "-".')
    .description(
      'Create an invoice from a JSON file, or from standard input with "-". The JSON is sent unchanged.',
    )
    .argument('<file>', 'the body of POST /v1/invoices, as JSON')
    .option('--draft', 'create a draft: do not sign it yet')
    .option('--wait', 'wait until it is ACCEPTED, REJECTED or FAILED')
    .option('--accept-existing', 'succeed if an identical invoice already exists')
    .action(action(create))
}

async function create(run: Run, file: string, options: CreationOptions): Promise<void> {
  const { draft = false, wait = false, acceptExisting = false } = options
  rejectWaitForDraft(options)
  const client = run.connect()
  const json = await readText(run, file, limits.bodyBytes)
  const creation = client
    .createInvoice(draft ? asDraft(json) : json, { acceptExisting })
    .catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error
      throw new UsageError(`${file}: ${error.message}`, { cause: error })
    })
  const created = await adviseIfInterrupted(run, creation, mayExist('invoice'))
  await reportCreated(run, { client, created, wait })
}

// Inserted into the text, so that all digits stay; of two members with one name the last counts.
function asDraft(json: string): string {
  return /^\s*\{\s*\}/.test(json) ? json : json.replace(/\}\s*$/, ', "draft": true}')
}
