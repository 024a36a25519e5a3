/**
 * Against a platform that takes each POST as a submission of its own: whatever happens to the
 * service between a POST and its answer, the platform is asked before the invoice is sent again.
 */

import { eventually } from '@einvoicing/servers/eventually'
import { newOrganization, type Organization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'
import { openForgetfulPlatform, type ForgetfulPlatform } from './forgetful-platform'

let platform: ForgetfulPlatform
let stack: Standalone
let invoices: Organization['invoices']

const startedWith = (env: Record<string, string>) => {
  beforeAll(async () => {
    platform = await openForgetfulPlatform()
    stack = await startStandalone({ env: { CLEARANCE_URL: platform.url, ...env } })
    invoices = (await newOrganization(stack)).invoices
  }, 120_000)
  afterAll(async () => {
    await stack.dispose()
    await platform.close()
  })
}

const untilRequested = (count: number) =>
  eventually(async () => expect(platform.requests.length).toBeGreaterThanOrEqual(count), 30_000)

async function killAfterPost(onSubmission: ForgetfulPlatform['onSubmission']): Promise<string> {
  platform.onSubmission = onSubmission
  const { id } = await invoices.created()
  await untilRequested(1)
  await stack.kill9()
  platform.onSubmission = 'answer'
  await stack.restart()
  return id
}

describe('with default settings', () => {
  startedWith({})
  beforeEach(() => {
    platform.requests.length = 0
  })

  test('an invoice is sent with one POST and no query', async () => {
    const { id } = await invoices.created()
    expect(await invoices.decided(id)).toMatchObject({ status: 'ACCEPTED' })
    expect(platform.requests).toEqual([`POST ${id}`])
  })

  test('kill -9 between the POST and its answer: queried first, sent once', async () => {
    const id = await killAfterPost('take-silently')
    expect(await invoices.decided(id)).toMatchObject({ status: 'ACCEPTED' })
    expect(platform.requests.slice(0, 2)).toEqual([`POST ${id}`, `GET ${id}`])
    expect(platform.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
  })

  test('kill -9 after a POST that never arrived: queried first, then sent', async () => {
    const id = await killAfterPost('lose-silently')
    expect(await invoices.decided(id)).toMatchObject({ status: 'ACCEPTED' })
    expect(platform.requests).toEqual([`POST ${id}`, `GET ${id}`, `POST ${id}`])
  })
})

describe('when it gives up after 10 s', () => {
  startedWith({ CLEARANCE_GIVE_UP_AFTER_SECONDS: '10' })

  test('sent again after FAILED: asked first, sent once', async () => {
    platform.isDeciding = false
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
})
