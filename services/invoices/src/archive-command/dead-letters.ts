/** What an operator does about archive work that failed too often: lists it, has it tried again. */

import type { ArchiveDeadLetter, InvoiceStore } from '../store/store'

const usage = `Artefacts that were given up after many failed attempts to archive them.

usage: npm run archive:work -- list
         one JSON object a line: when and why it was given up
       npm run archive:work -- retry INVOICE-ID… | all
         has them tried again, at once and from the first attempt

The service may be running. The store is that of MONGODB_URL, else of DATA_DIR (./data).
Where services are processes of their own:
       node services/invoices/dist/archive-command/main.js list | retry …
`

const pageSize = 200

type Letters = Pick<InvoiceStore, 'listArchiveDeadLetters' | 'reviveArchiveWork'>

/** Status 0: done, or there are none; 1: one that was named is none; 2: not understood. */
export async function runArchiveCommand(
  words: readonly string[],
  open: () => Promise<Letters>,
): Promise<number> {
  const [verb, ...chosen] = words
  if (words.includes('--help')) {
    process.stdout.write(usage)
    return 0
  }
  if (verb === 'list' && chosen.length === 0) return list(await open())
  if (verb === 'retry' && chosen.length > 0) return retry(await open(), chosen)
  process.stderr.write(usage)
  return 2
}

async function list(store: Letters): Promise<number> {
  let count = 0
  for await (const { position: _position, ...letter } of deadLetters(store)) {
    count += 1
    say(JSON.stringify(letter))
  }
  if (count === 0) process.stderr.write('none\n')
  return 0
}

async function retry(store: Letters, chosen: readonly string[]): Promise<number> {
  const isAll = chosen.length === 1 && chosen[0] === 'all'
  const unknown = new Set(isAll ? [] : chosen)
  for await (const letter of deadLetters(store)) {
    if (!isAll && !chosen.includes(letter.invoiceId)) continue
    unknown.delete(letter.invoiceId)
    if (await store.reviveArchiveWork(letter))
      say(`${letter.invoiceId} ${letter.part}: tried again`)
  }
  for (const id of unknown) process.stderr.write(`${id} is no dead letter\n`)
  return unknown.size === 0 ? 0 : 1
}

async function* deadLetters(store: Letters): AsyncGenerator<ArchiveDeadLetter> {
  let after: string | undefined
  for (;;) {
    const page = await store.listArchiveDeadLetters(after, pageSize)
    if (page.length === 0) return
    yield* page
    after = page.at(-1)?.position
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
