import { onOneStack } from '../stack/on-every-stack'
import { newOrganization } from '../stack/organization'
import type { Stack } from '../stack/stack'
import { begin, einvoicing } from './command-line'
import { openFaultyFront, type Failure } from './faulty-front'

async function newSettings(stack: Stack) {
  const { key, invoices } = await newOrganization(stack)
  const env = { EINVOICING_URL: stack.baseUrl, EINVOICING_API_KEY: key.key }
  return { env, invoices }
}

onOneStack('einvoicing load', (stack) => {
  test('creates as many as --count says, waits for the decisions and counts them', async () => {
    const { env, invoices } = await newSettings(stack())
    const ran = await einvoicing(['load', '--count', '12', '--concurrency', '3', '--json'], { env })
    expect([ran.code, ran.errors]).toEqual([0, ''])
    const report = JSON.parse(ran.output)
    expect(report).toMatchObject({
      asked: 12,
      created: 12,
      statuses: { ACCEPTED: 12 },
      errors: {},
      faults: {},
      interrupted: false,
    })
    const { p50Ms, p99Ms, perSecond } = report.creation
    expect(p50Ms).toBeGreaterThan(0)
    expect(p99Ms).toBeGreaterThanOrEqual(p50Ms)
    expect(perSecond).toBeGreaterThan(0)
    const { data } = await invoices.list({ buyerIce: report.buyerIce, size: 100 })
    expect(new Set(data.content.map(({ invoiceNumber }) => invoiceNumber)).size).toBe(12)
  }, 180_000)

  test('obeys 429, outlasts errors, and still creates each once', async () => {
    const { env, invoices } = await newSettings(stack())
    const front = await openFaultyFront(stack().baseUrl)
    const slowDown = { status: 429, headers: { 'Retry-After': '1' } }
    front.plan(slowDown, 'none', 'cut after', slowDown, 'cut before', 'truncated', slowDown)
    const words = ['load', '--count', '10', '--concurrency', '2', '--no-wait']
    const ran = await einvoicing(words, { env: { ...env, EINVOICING_URL: front.baseUrl } })
    await front.close()
    expect([ran.code, ran.errors]).toEqual([0, ''])
    expect(ran.output).toMatch(/^10 of 10 created$/m)
    expect(ran.output).toMatch(
      /^retried {4}(HTTP 429 ×3, no answer ×2|no answer ×2, HTTP 429 ×3)$/m,
    )
    expect(ran.output).toMatch(/^creation {3}p50 [\d.]+ ms, p99 [\d.]+ ms, [\d.]+ per second$/m)
    expect(ran.output).not.toContain('failed')
    expect((await invoices.list()).data.totalElements).toBe(10)
  }, 180_000)

  test('prints the count when interrupted', async () => {
    const { env, invoices } = await newSettings(stack())
    const running = begin(['load', '--count', '100000', '--concurrency', '2', '--json'], { env })
    const begun = async () => (await invoices.list({ size: 1 })).data.totalElements >= 3
    while (!(await begun())) await new Promise((resolve) => setTimeout(resolve, 100))
    running.interrupt()
    const { code, output } = await running.ended
    expect(code).toBe(130)
    const report = JSON.parse(output)
    expect(report).toMatchObject({ asked: 100_000, interrupted: true })
    expect(report.created).toBe((await invoices.list({ size: 1 })).data.totalElements)
    expect(report.created).toBeLessThan(100_000)
  }, 180_000)

  test('counts failures by code, and prints the first', async () => {
    const { env } = await newSettings(stack())
    const front = await openFaultyFront(stack().baseUrl)
    const apiError = { code: 'MENTIONS_INCOMPLETE', message: 'no', data: null, errors: null }
    front.plan('none', { status: 422, body: JSON.stringify(apiError) })
    const words = ['load', '--count', '3', '--concurrency', '1', '--no-wait']
    const ran = await einvoicing(words, { env: { ...env, EINVOICING_URL: front.baseUrl } })
    await front.close()
    expect([ran.code, ran.errors]).toEqual([
      1,
      expect.stringMatching(/^MENTIONS_INCOMPLETE: no\nrequest [0-9a-f-]{36}\n$/),
    ])
    expect(ran.output).toMatch(/^2 of 3 created\n/)
    expect(ran.output).toMatch(/^failed {5}MENTIONS_INCOMPLETE ×1$/m)
  }, 180_000)

  test('reports the error that ended the waiting, after the counts', async () => {
    const { env } = await newSettings(stack())
    const front = await openFaultyFront(stack().baseUrl)
    const words = ['load', '--count', '2', '--concurrency', '1', '--json']
    const endWith = async (problem: Failure) => {
      front.plan('none', 'none', ...Array.from({ length: 20 }, () => problem))
      const ran = await einvoicing(words, { env: { ...env, EINVOICING_URL: front.baseUrl } })
      expect(JSON.parse(ran.output)).toMatchObject({ asked: 2, created: 2, statuses: null })
      return [ran.code, JSON.parse(ran.errors).error.code]
    }
    expect(await endWith('cut before')).toEqual([3, 'CONNECTION_LOST'])
    const apiError = { code: 'API_KEY_INVALID', message: 'no', data: null, errors: null }
    const revoked = { status: 401, body: JSON.stringify(apiError) }
    expect(await endWith(revoked)).toEqual([1, 'API_KEY_INVALID'])
    await front.close()
  }, 180_000)

  test('stops at once where no other request would do better', async () => {
    const { env } = await newSettings(stack())
    const wrong = { ...env, EINVOICING_API_KEY: 'svc_sk_wrong' }
    const ran = await einvoicing(['load', '--count', '1000'], { env: wrong })
    expect([ran.code, ran.errors]).toEqual([1, expect.stringMatching(/^API_KEY_INVALID: /)])
    const closed = await openFaultyFront(stack().baseUrl)
    await closed.close()
    const gone = { ...env, EINVOICING_URL: closed.baseUrl }
    expect((await einvoicing(['load', '--count', '1000'], { env: gone })).code).toBe(3)
  }, 180_000)
})
