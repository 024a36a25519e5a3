/**
 * A process or a backing service that hangs, its connections open: the gateway answers in time,
 * says what is unavailable, and all goes on by itself when it wakes.
 */

import { eventually } from '@einvoicing/servers/eventually'
import { requestJson } from '../stack/http'
import { anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import type { Services } from '../stack/services'
import { untilAllDecided } from './record'

// The gateway gives each call to a service 10 s; this client would give up after 30 s.
const answeredWithinMs = 25_000

export function testSilent(started: () => Services): void {
  let services: Services
  let organization: Organization
  beforeAll(async () => {
    services = started()
    organization = await newOrganization(services)
  }, 300_000)

  async function whileSilent(name: string, look: () => Promise<void>): Promise<void> {
    await services.signal(name, 'SIGSTOP')
    try {
      await look()
    } finally {
      await services.signal(name, 'SIGCONT')
    }
    await services.untilReady()
    const made = await eventually(() => organization.invoices.created())
    expect((await organization.invoices.decided(made.id, 60_000)).status).toBe('ACCEPTED')
  }
  const readyz = () => requestJson('GET', `${services.baseUrl}/readyz`)

  test.each(['organizations', 'invoices', 'signer', 'mongodb'])(
    'without %s a creation is refused in time, and stores nothing',
    async (name) => {
      const { invoices } = organization
      const body = anInvoice()
      await whileSilent(name, async () => {
        const sentAt = Date.now()
        const { status, code, headers } = await invoices.create(body)
        expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Date.now() - sentAt).toBeLessThan(answeredWithinMs)
        const ready = await readyz()
        expect(ready.status).toBe(503)
        expect(ready.errors?.map(({ field }) => field)).toContain(name)
      })
      // The answer may have been lost on its way back: then the number is taken, once.
      const again = await invoices.create(body)
      expect([201, 409]).toContain(again.status)
      expect((await invoices.list({ invoiceNumber: body.invoiceNumber })).data.totalElements).toBe(
        1,
      )
    },
    120_000,
  )

  test.each(['artefacts', 'clearance', 'nats', 's3', 'redis', 'simulator'])(
    'without %s creation goes on, and what was left is done after',
    async (name) => {
      const { invoices } = organization
      const ids: string[] = []
      await whileSilent(name, async () => {
        for (let made = 0; made < 5; made += 1) ids.push((await invoices.created()).id)
        const ready = await readyz()
        expect(ready.status).toBe(200)
        const isWatched = !['clearance', 'simulator'].includes(name)
        if (isWatched) expect(ready.data).toMatchObject({ status: 'degraded' })
        if (isWatched) expect(ready.data.dependencies[name]).not.toBe('ok')
      })
      await untilAllDecided(invoices, 90_000)
      for (const id of ids) {
        expect((await invoices.bytes(id, 'xml')).length).toBeGreaterThan(1_000)
        expect((await invoices.bytes(id, 'pdf')).subarray(0, 5).toString()).toBe('%PDF-')
      }
    },
    180_000,
  )
}
