/**
 * One organization sends what the platform never decides, what makes it fail, and a great many
 * ordinary invoices; the invoices of another are accepted about as soon as they are alone.
 */

import type { Invoices } from '../stack/invoices'
import { newOrganization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'
import { inBatches } from './record'

let stack: Standalone
afterEach(() => stack.dispose(), 60_000)

async function timeToAcceptance(invoices: Invoices): Promise<number> {
  const began = performance.now()
  const made = await Promise.all(Array.from({ length: 20 }, () => invoices.created()))
  for (const { id } of made) {
    expect(await invoices.decided(id, 90_000)).toMatchObject({ status: 'ACCEPTED' })
  }
  return performance.now() - began
}

test('one organization’s invoices, of whatever kind, do not delay another’s', async () => {
  stack = await startStandalone()
  const other = (await newOrganization(stack)).invoices
  const greedy = (await newOrganization(stack)).invoices
  const aloneMs = await timeToAcceptance(other)

  const buyers: [buyerIce: string | undefined, count: number][] = [
    ['000000000000202', 400],
    ['000000000000901', 30],
    ['000000000000903', 30],
    ['000000000000429', 100],
    [undefined, 700],
  ]
  for (const [buyerIce, count] of buyers) {
    await inBatches(Array.from({ length: count }), () =>
      greedy.created(buyerIce === undefined ? {} : { buyerIce }),
    )
  }
  const besideMs = await timeToAcceptance(other)
  const laterMs = await timeToAcceptance(other)
  process.stderr.write(
    `20 invoices accepted: alone ${Math.round(aloneMs)} ms, beside ${Math.round(besideMs)} ms, later ${Math.round(laterMs)} ms\n`,
  )
  // In turn with all invoices, they waited for minutes.
  expect(Math.max(besideMs, laterMs)).toBeLessThan(5 * aloneMs + 10_000)
}, 240_000)
