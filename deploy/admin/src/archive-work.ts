import {
  listArchiveDeadLetters,
  retryArchiveDeadLetters,
} from '@einvoicing/invoices/commands/archive-dead-letters'
import { withInvoiceStore } from './invoice-store'
import type { Shell } from './shell'

/** One JSON object a line, with `--json` or without. */
export function list(shell: Shell): Promise<number> {
  return withInvoiceStore(shell, async (store) => {
    let count = 0
    for await (const { position: _position, ...letter } of listArchiveDeadLetters(store)) {
      count += 1
      shell.print(JSON.stringify(letter), letter)
    }
    if (count === 0) shell.note('none')
    return 0
  })
}

/** Exit status 1 when a given id has no dead letter. */
export function retry(shell: Shell, ids: readonly string[]): Promise<number> {
  const isAll = ids.length === 1 && ids[0] === 'all'
  const unknown = new Set(isAll ? [] : ids)
  return withInvoiceStore(shell, async (store) => {
    const retried = retryArchiveDeadLetters(store, ({ invoiceId }) => {
      unknown.delete(invoiceId)
      return isAll || ids.includes(invoiceId)
    })
    for await (const { invoiceId, part } of retried) {
      shell.print(`${invoiceId} ${part}: retried`, { invoiceId, part, retried: true })
    }
    for (const id of unknown) shell.note(`${id} is not a dead letter`)
    return unknown.size === 0 ? 0 : 1
  })
}
