/**
 * A body may arrive long after its headers: permission is checked again when it has arrived
 * (docs/decisions/0048).
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { anInvoice } from '../stack/invoices'
import { onEveryOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { beginRaw } from '../stack/raw-http'

onEveryOwnStack('bodies that arrive late', (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  /** Sends headers and half of the body, then waits until the first check is out of date. */
  async function halfSent(path: string, headers: readonly string[], body: object) {
    const text = JSON.stringify(body)
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(stack().baseUrl).host}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Expect: 100-continue',
      'Connection: close',
      ...headers,
    ].join('\r\n')
    const half = Math.floor(text.length / 2)
    const request = await beginRaw(stack().baseUrl, `${head}\r\n\r\n${text.slice(0, half)}`)
    await delay(1_500)
    return async () => {
      const answer = await request.finish(text.slice(half))
      if (!answer) throw new Error('no answer')
      const { code } = JSON.parse(answer.body.toString()) as { code: string }
      return { status: answer.status, code, headers: answer.headers }
    }
  }

  const byCookie = (cookie: string) => [`Cookie: ${cookie}`, 'X-Requested-With: dashboard']

  test('a creation fails when its key was revoked in the meantime', async () => {
    const { session, invoices } = organization
    const made = await session.call('POST', '/api-keys', { body: { name: 'short-lived' } })
    const { id, key } = made.data as { id: string; key: string }
    const invoice = anInvoice()
    const finish = await halfSent('/v1/invoices', [`Authorization: Bearer ${key}`], invoice)
    expect((await session.call('DELETE', `/api-keys/${id}`)).status).toBe(200)
    expect(await finish()).toMatchObject({ status: 401, code: 'API_KEY_INVALID' })
    const found = await invoices.list(`invoiceNumber=${invoice.invoiceNumber}`)
    expect(found.data).toMatchObject({ totalElements: 0 })
  })

  test.each([
    ['/api-keys', { name: 'left behind' }],
    ['/members', { email: `${randomUUID()}@atlas.example`, role: 'OWNER' }],
  ])(
    'POST %s fails when its member was removed in the meantime',
    async (path, body) => {
      const { session } = organization
      const before = await session.call('GET', path)
      const member = await session.welcome('OWNER')
      const finish = await halfSent(`/dashboard/api${path}`, byCookie(member.cookie), body)
      expect((await session.call('DELETE', `/members/${member.id}`)).status).toBe(200)
      expect(await finish()).toMatchObject({ status: 401, code: 'SESSION_INVALID' })
      expect((await session.call('GET', path)).data).toEqual(before.data)
    },
    60_000,
  )

  test('POST /api-keys fails when its member is no longer an owner', async () => {
    const { session } = organization
    const before = await session.call('GET', '/api-keys')
    const member = await session.welcome('OWNER')
    const finish = await halfSent('/dashboard/api/api-keys', byCookie(member.cookie), { name: 'x' })
    const demoted = await session.call('PUT', `/members/${member.id}`, { body: { role: 'MEMBER' } })
    expect(demoted.status).toBe(200)
    expect(await finish()).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect((await session.call('GET', '/api-keys')).data).toEqual(before.data)
  })

  test('a creation that is still allowed succeeds, and counts as one request', async () => {
    const { key, invoices } = organization
    const remaining = (rate: string | null | undefined) => Number(/r=(\d+)/.exec(rate ?? '')?.[1])
    const head = [`Authorization: Bearer ${key.key}`]
    // A rate window that ends in between starts again at its limit, and an answer of Redis that is
    // late leaves the count to the gateway alone.
    let counted = 0
    for (let tries = 0; counted !== 1 && tries < 5; tries += 1) {
      const before = remaining((await invoices.list()).headers.get('ratelimit'))
      const answer = await (await halfSent('/v1/invoices', head, anInvoice()))()
      expect(answer.status).toBe(201)
      counted = before - remaining(/^ratelimit: (.*)$/im.exec(answer.headers)?.[1])
    }
    expect(counted).toBe(1)
  })
})
