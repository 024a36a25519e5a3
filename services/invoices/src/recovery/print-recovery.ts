/** What an operator is told while invoices are taken back, and the status the command ends with. */

import { recoverInvoices, type Found, type RecoveryDeps } from './recover-invoices'

const usage = `usage: npm run invoices:recover -- list   what the archive has and the store has not
       npm run invoices:recover -- take   takes it back into the store
Where services are processes of their own: node services/invoices/dist/recover-command/main.js list | take
`

/** Status 0: the store has all; 1: some are missing or refused; 2: not understood. */
export async function tellRecovery(
  words: readonly string[],
  open: () => Promise<RecoveryDeps>,
): Promise<number> {
  const [verb, ...more] = words
  if ((verb !== 'list' && verb !== 'take') || more.length > 0) {
    process.stderr.write(usage)
    return 2
  }
  const count = { missing: 0, 'taken back': 0, refused: 0 }
  let looked = 0
  for await (const { originals, found } of recoverInvoices(await open(), {
    take: verb === 'take',
  })) {
    looked = originals
    for (const one of found) {
      count[one.outcome] += 1
      process.stdout.write(`${sentence(one)}\n`)
    }
  }
  process.stdout.write(
    `${looked} originals in the archive: ${count.missing} missing in the store, ${count['taken back']} taken back, ${count.refused} refused\n`,
  )
  return count.missing + count.refused === 0 ? 0 : 1
}

function sentence({ invoiceNumber, invoiceDate, ...found }: Found): string {
  const { outcome, reason, invoiceId, organizationId } = found
  const named = invoiceNumber === undefined ? '' : ` number ${invoiceNumber} of ${invoiceDate},`
  const why = reason === undefined ? '' : `: ${reason}`
  return `${outcome}:${named} invoice ${invoiceId}, organization ${organizationId}${why}`
}
