/** Files made to hurt, posted by many at once: who creates invoices meanwhile notices nothing. */

import { eventually } from '@einvoicing/servers/eventually'
import { makeBombs, postBombs } from '../stack/bombs'
import { send } from '../stack/http'
import { anInvoice } from '../stack/invoices'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization } from '../stack/organization'

const clients = 20
const creationsOfAll = 30

onEveryOwnStack('bombs at /v1/verify', (stack, part) => {
  const creations = Math.ceil(creationsOfAll * part)

  test('do not delay creations, and are answered "not valid" or "later"', async () => {
    const [hostile, other] = [await newOrganization(stack()), await newOrganization(stack())]
    const { id } = await hostile.invoices.created()
    const xml = await hostile.invoices.bytes(id, 'xml')
    let isOver = false
    const target = { url: stack().baseUrl, key: hostile.key.key, clients }
    const bombing = postBombs(target, makeBombs(xml.toString()), () => isOver)
    const statuses: number[] = []
    const create = async () => {
      while (statuses.length < creations) {
        const { status } = await other.invoices.create(anInvoice())
        statuses.push(status)
      }
    }
    await Promise.all([create(), create()]).finally(() => (isOver = true))
    const { answers } = await bombing
    expect(new Set(statuses)).toEqual(new Set([201]))

    const verified = answers.filter(({ status }) => status === 200)
    expect(verified.length).toBeGreaterThan(0)
    for (const { text } of verified) expect(text).toContain('"valid":false')
    const others = answers.filter(({ status }) => status !== 200)
    expect(new Set(others.map(({ status }) => status))).toEqual(
      others.length > 0 ? new Set([503]) : new Set(),
    )
    for (const { retryAfter, text } of others) {
      expect([Number(retryAfter) > 0, text.includes('"SERVICE_UNAVAILABLE"')]).toEqual([true, true])
    }
    await eventually(async () => {
      const headers = { 'Content-Type': 'application/xml' }
      const options = { key: hostile.key.key, headers, body: xml }
      const { bytes } = await send('POST', `${stack().baseUrl}/v1/verify`, options)
      expect(bytes.toString()).toContain('"valid":true')
    })
  }, 180_000)
})
