/**
 * Against a platform that takes each POST as a submission of its own: whatever happens to the
 * service between a POST and its answer, the platform is asked before the invoice is sent again.
 */

import { eventually } from '@einvoicing/servers/eventually'
import { newOrganization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'
import { openForgetfulPlatform, type ForgetfulPlatform } from './forgetful-platform'

let platform: ForgetfulPlatform
let stack: Standalone
beforeEach(async () => {
  platform = await openForgetfulPlatform()
})
afterEach(async () => {
  await stack.dispose()
  await platform.close()
})

const start = async (env: Record<string, string> = {}) => {
  stack = await startStandalone({ env: { CLEARANCE_URL: platform.url, ...env } })
  return newOrganization(stack)
}

const untilRequested = (count: number) =>
  eventually(async () => expect(platform.requests.length).toBeGreaterThanOrEqual(count), 30_000)

test('an invoice is sent with one POST and no query', async () => {
  const { invoices } = await start()
  const { id } = await invoices.created()
  expect(await invoices.decided(id)).toMatchObject({ status: 'ACCEPTED' })
  expect(platform.requests).toEqual([`POST ${id}`])
})

test('kill -9 between the POST and its answer: queried first, sent once', async () => {
  const { invoices } = await start()
  platform.onSubmission = 'take-silently'
  const { id } = await invoices.created()
  await untilRequested(1)
  await stack.kill9()
  platform.onSubmission = 'answer'
  await stack.restart()
  expect(await invoices.decided(id)).toMatchObject({ status: 'ACCEPTED' })
  expect(platform.requests.slice(0, 2)).toEqual([`POST ${id}`, `GET ${id}`])
  expect(platform.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
})

test('kill -9 after a POST that never arrived: queried first, then sent', async () => {
  const { invoices } = await start()
  platform.onSubmission = 'lose-silently'
  const { id } = await invoices.created()
  await untilRequested(1)
  await stack.kill9()
  platform.onSubmission = 'answer'
  await stack.restart()
  expect(await invoices.decided(id)).toMatchObject({ status: 'ACCEPTED' })
  expect(platform.requests).toEqual([`POST ${id}`, `GET ${id}`, `POST ${id}`])
})

test('sent again after FAILED: asked first, sent once', async () => {
  platform.isDeciding = false
  const { invoices } = await start({ CLEARANCE_GIVE_UP_AFTER_SECONDS: '10' })
  const { id } = await invoices.created()
  expect(await invoices.decided(id)).toMatchObject({ status: 'FAILED' })
  platform.isDeciding = true
  platform.requests.length = 0
  const tooLate: string[] = []
  await eventually(async () => {
    const { status } = (await invoices.status(id)).data
    if (status === 'FAILED') {
      // A slow machine may need more than the 10 s.
      tooLate.push(...platform.requests.splice(0))
      expect((await invoices.resubmit(id)).status).toBe(200)
    }
    expect(status).toBe('ACCEPTED')
  }, 60_000)
  expect(platform.requests).toEqual([`GET ${id}`])
  expect(tooLate).not.toContain(`POST ${id}`)
})
