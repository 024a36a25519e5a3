import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { openSigner, type Signer } from './service'
import { makeSigningToken, type TestToken } from './testdata/token'

const invoice = JSON.parse(
  readFileSync(join(__dirname, 'testdata', 'simple.json'), 'utf8'),
) as Invoice
const callNow = (): Call => ({
  caller: { service: 'invoices', actor: 'api-key:test' },
  requestId: '-',
  deadline: Date.now() + 5_000,
})

describeWithOwn('softhsm', 'the signer, with its token away at start', () => {
  let token: TestToken
  let signer: Signer
  beforeAll(async () => {
    token = await makeSigningToken()
    await token.remove()
    signer = await openSigner(token.config(), {
      now: () => new Date(),
      log: createLog('silent'),
    })
  })
  afterAll(async () => {
    await signer.close()
    await token.dispose()
  })

  it('listens, rejects at once, and says what it waits for', async () => {
    const startedMs = performance.now()
    await expect(signer.handlers.signDocument({ invoice }, callNow())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 5,
    })
    expect(performance.now() - startedMs).toBeLessThan(4_500)
    const { dependencies } = await signer.handlers.checkSigner({}, callNow())
    expect(dependencies).toEqual([
      {
        name: 'pkcs11',
        essential: true,
        problem: 'cannot be used as it is configured: see the log',
      },
    ])
  })

  it('signs under the certificate in the token as soon as it is there', async () => {
    await token.restore()
    await eventually(async () => {
      const { dependencies } = await signer.handlers.checkSigner({}, callNow())
      expect(dependencies.filter(({ problem }) => problem !== '')).toEqual([])
    })
    const { xml } = await signer.handlers.signDocument({ invoice }, callNow())
    expect(xml.toString()).toContain('<ds:SignatureValue>')
  })
})

describeWithOwn('softhsm', 'the signer', () => {
  it('does not start with a key that is not in the token, and leaves no process behind', async () => {
    const token = await makeSigningToken()
    const config = token.config({ key: { label: 'other', id: undefined } })
    const deps = { now: () => new Date(), log: createLog('silent') }
    await expect(openSigner(config, deps)).rejects.toThrow(/has no private key with PKCS11_KEY_LA/)
    await token.dispose()
  })
})
