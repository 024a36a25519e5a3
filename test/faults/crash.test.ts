/**
 * kill -9 at random moments under a creation load: what was answered is there, what was not is safe
 * to send again.
 */

import { eventually } from '@einvoicing/servers/eventually'
import { inBatches } from '@einvoicing/servers/in-batches'
import { seededRandom, drawSeed } from '../stack/random'
import { newOrganization } from '../stack/organization'
import { startStandalone, type Wire } from '../stack/standalone'
import { createUnderLoad, type Acknowledged } from './load'
import { expectAudit, expectDocuments, listAll, submissionTotal, untilAllDecided } from './record'

const rounds = 4

describe.each<Wire>(['none', 'grpc'])('kill -9 under load (WIRE=%s)', (wire) => {
  const seed = drawSeed('crash')

  test(`loses nothing and sends nothing twice, ${rounds} rounds (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const stack = await startStandalone({ wire })
    try {
      const organization = await newOrganization(stack)
      const { invoices } = organization
      const acknowledged: Acknowledged[] = []
      for (let round = 0; round < rounds; round += 1) {
        const load = createUnderLoad(invoices, { random })
        await eventually(async () => expect(load.acknowledged).not.toEqual([]))
        await new Promise((resolve) => setTimeout(resolve, random.int(100, 700)))
        await stack.kill9()
        await load.done
        acknowledged.push(...load.acknowledged)
        expect(load.refused).toEqual([])
        await stack.restart()

        await inBatches(load.unanswered, async (body) => {
          const again = await invoices.create(body)
          expect([201, 409]).toContain(again.status)
          if (again.status === 409) expect(again.code).toBe('INVOICE_NUMBER_EXISTS')
          const found = await invoices.list({ invoiceNumber: body.invoiceNumber })
          expect(found.data.totalElements).toBe(1)
          const [{ id, invoiceNumber }] = found.data.content
          acknowledged.push({ id, invoiceNumber })
        })
      }
      expect(acknowledged.length).toBeGreaterThan(rounds * 8)

      const listed = await listAll(invoices)
      const asPairs = (all: readonly Acknowledged[]) =>
        all.map(({ id, invoiceNumber }) => `${invoiceNumber} ${id}`).sort()
      expect(asPairs(listed)).toEqual(asPairs(acknowledged))

      const all = await untilAllDecided(invoices, 60_000)
      expect(all.filter(({ status }) => status !== 'ACCEPTED')).toEqual([])
      await expectDocuments(invoices, all)
      await expectAudit(organization, all)
      expect(await submissionTotal(stack.simulatorUrl)).toBe(all.length)
      expect(stack.output()).not.toMatch(/"level":"(error|fatal)"/)
    } finally {
      await stack.dispose()
    }
  }, 150_000)
})
