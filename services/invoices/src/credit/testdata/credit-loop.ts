/** A process that credits the same originals again and again, until it is killed. */

import { randomUUID } from 'node:crypto'
import type { InvoicesConfig } from '../../config'
import { createCredits, line, start } from './credits'

const [config = '', ...originalIds] = process.argv.slice(2)

async function main(): Promise<void> {
  const under = await start([JSON.parse(config) as InvoicesConfig])
  const { create } = createCredits(() => under)
  const items = originalIds.map((id) => ({ id }))
  for (;;) {
    const kind = { type: 'CREDIT_NOTE', correctionReason: 'Retour' }
    await create({
      ...kind,
      invoiceNumber: `AV-${randomUUID()}`,
      precedingInvoices: { items },
      lines: [line('9')],
    })
    process.stdout.write('.')
  }
}

void main()
