/**
 * One organization sends what the platform never decides, what makes it fail, and a great many
 * ordinary invoices; those of another take turns with them. Counted, not timed: in the order of
 * arrival, all of the first organization's would reach the platform before.
 */

import { inBatches } from '@einvoicing/servers/in-batches'
import type { Invoices } from '../stack/invoices'
import { newOrganization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'
import { setBehaviour, submissionTotal } from './record'

let stack: Standalone
afterEach(() => stack.dispose())

const few = 20

async function untilAccepted(invoices: Invoices): Promise<void> {
  const made = await Promise.all(Array.from({ length: few }, () => invoices.created()))
  for (const { id } of made) {
    expect(await invoices.decided(id, 120_000)).toMatchObject({ status: 'ACCEPTED' })
  }
}

test('one organization’s invoices, of whatever kind, do not delay another’s', async () => {
  stack = await startStandalone()
  const other = (await newOrganization(stack)).invoices
  const greedy = (await newOrganization(stack)).invoices
  // Slow enough that much of the first organization's still waits when the other's are accepted.
  await setBehaviour(stack.simulatorUrl, { answerLatencyMs: 5_000 })

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
  await setBehaviour(stack.simulatorUrl, { answerLatencyMs: 1_000 })
  const before = await submissionTotal(stack.simulatorUrl)
  await untilAccepted(other)
  const meanwhile = (await submissionTotal(stack.simulatorUrl)) - before - few
  const waiting = (await greedy.list({ status: 'SIGNED', size: 1 })).data.totalElements
  process.stderr.write(
    `beside ${few} of another organization: ${meanwhile} submitted, ${waiting} wait\n`,
  )
  expect(waiting).toBeGreaterThan(200)
  expect(meanwhile).toBeLessThan(200)
}, 300_000)
