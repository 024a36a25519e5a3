import {
  recoverInvoices,
  type Found,
  type RecoveryOptions,
  type RecoveryDeps,
} from '@einvoicing/invoices/recovery/recover-invoices'
import type { Shell } from './shell'

/** Exit status 1 when invoices are missing from the store, or were refused. */
export async function printRecovery(
  shell: Shell,
  deps: RecoveryDeps,
  options: RecoveryOptions,
): Promise<number> {
  const count = { missing: 0, 'taken back': 0, refused: 0 }
  let originals = 0
  for await (const progress of recoverInvoices(deps, options)) {
    originals = progress.originals
    for (const one of progress.found) {
      count[one.outcome] += 1
      shell.print(describe(one), one)
    }
  }
  shell.print(
    `${originals} originals in the archive: ${count.missing} missing in the store, ${count['taken back']} taken back, ${count.refused} refused`,
    { originals, ...count },
  )
  return count.missing + count.refused === 0 ? 0 : 1
}

function describe({ invoiceNumber, invoiceDate, ...found }: Found): string {
  const { outcome, reason, invoiceId, organizationId } = found
  const number = invoiceNumber === undefined ? '' : ` number ${invoiceNumber} of ${invoiceDate},`
  const why = reason === undefined ? '' : `: ${reason}`
  return `${outcome}:${number} invoice ${invoiceId}, organization ${organizationId}${why}`
}
