import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { makeTestAuthority } from '../testdata/authority'
import { makeSigningToken, type TestToken } from '../testdata/token'
import type { TokenError } from '../token/token-error'
import { openTokenProcess, type TokenProcess } from './pkcs11-process'

const digest = createHash('sha256').update('x').digest()

describeWithOwn('softhsm', 'the process that holds a token', () => {
  let token: TestToken
  let holder: TokenProcess
  let lost: TokenError | undefined
  const { signal } = new AbortController()
  beforeAll(async () => {
    token = await makeSigningToken()
    const { module, token: config, environment } = token.config()
    holder = await openTokenProcess({
      module,
      config,
      environment,
      pin: token.pin,
      signal,
      answerMs: 30_000,
      onLost: (problem) => (lost = problem),
    })
  })
  afterAll(async () => {
    await holder.close()
    await token.dispose()
  })

  it('keeps one identity until another certificate is installed', async () => {
    const { identity } = holder
    holder.refresh()
    await holder.sign(digest)
    expect(holder.identity).toBe(identity)

    const authority = await makeTestAuthority()
    await token.key(['request', authority.file('key.csr'), '--subject', 'CN=Factures'])
    authority.issue({ request: 'key.csr', by: 'root', out: 'key.pem', days: 30 })
    await token.key(['install', authority.file('key.pem')])
    for (let looked = 0; looked < 300 && holder.identity === identity; looked++) {
      holder.refresh()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(holder.identity.certificates[0].equals(identity.certificates[0])).toBe(false)
    expect(lost).toBeUndefined()
  })

  it('waits for no stop once it is open', () => {
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('is not opened during a stop', async () => {
    const { module, token: config, environment } = token.config()
    const own = { module, config, environment, pin: token.pin }
    const options = { ...own, answerMs: 30_000, onLost: () => undefined }
    for (const signal of [AbortSignal.abort(), AbortSignal.timeout(5)]) {
      await expect(openTokenProcess({ ...options, signal })).rejects.toThrow('is stopping')
    }
  })

  it('rejects when too many wait, and serves all others', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1_500 }, () => holder.sign(digest)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    // 8 are with the token, 1,000 wait.
    expect(refused).toHaveLength(1_500 - 1_008)
    expect((refused[0]!.reason as Error).message).toBe('1000 signatures wait for the token')
    expect(lost).toBeUndefined()
  })

  it('is lost, with the reason, when its key is gone', async () => {
    await token.remove()
    holder.refresh()
    await expect(holder.sign(digest)).rejects.toThrow(
      /PKCS11_MODULE returned CKR_|has no private key/,
    )
    expect(lost?.message).toMatch(/PKCS11_MODULE returned CKR_|has no private key/)
    await token.restore()
  })
})

it('a token that never opens leaves no listener on the signal', async () => {
  const { signal } = new AbortController()
  const key = { label: 'invoices', id: undefined }
  const config = { tokenLabel: 'absent', key, sessions: 1, certificateFile: undefined }
  const options = { module: '/absent.so', config, environment: undefined, pin: '1234', signal }
  const attempts = Array.from({ length: 12 }, () =>
    openTokenProcess({ ...options, answerMs: 1_000, onLost: () => undefined }),
  )
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes.map(({ status }) => status)).toEqual(Array(12).fill('rejected'))
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
