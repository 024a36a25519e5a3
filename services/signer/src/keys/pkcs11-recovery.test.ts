import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { within } from '@einvoicing/runtime/deadline'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { makeSigningToken, pkcs11Tool, type TestToken } from '../testdata/token'
import { openPkcs11Key, type Pkcs11Times } from './pkcs11'
import { createSignVerified } from './sign-verified'
import { KeyUnavailable, type SigningKey } from './signing-key'

const bytes = Buffer.from('<ds:SignedInfo/>')
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** For tests in which the token always answers, so that a pause is not taken for silence. */
const patient = { signMs: 30_000, answerMs: 30_000 }

let token: TestToken
let key: SigningKey
const open = async (times: Partial<Pkcs11Times> = {}) =>
  void (key = await openPkcs11Key(token.config(), { log: createLog('silent'), times }))
beforeEach(async () => void (token = await makeSigningToken()))
afterEach(async () => {
  await key.close()
  await token.dispose()
})

/** As the signer does: as whom the key signs now, verified. */
async function sign(): Promise<Buffer> {
  return createSignVerified(key, () => new Date())(bytes, key.identity())
}

async function untilSigned(withinMs = 45_000): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; ; await pause(50)) {
    const outcome = await sign().catch((error: unknown) => error as Error)
    if (Buffer.isBuffer(outcome)) return
    if (Date.now() > giveUpAt) throw outcome
  }
}

async function until(isSo: () => boolean, withinMs = 45_000): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; !isSo(); await pause(50)) {
    if (Date.now() > giveUpAt) throw new Error('not so in time')
  }
}

/** Why the key cannot be used now. */
function problem(): string | undefined {
  try {
    key.identity()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** The process that holds the module, a child of this one. */
function holder(): number | undefined {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
  const found = table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(([, parent, state, ...words]) => {
      const isOurs = Number(parent) === process.pid && !state!.startsWith('Z')
      return isOurs && words.some((word) => word.endsWith('/token/main.ts'))
    })
  return found && Number(found[0])
}

/** Eight callers sign until stopped; records the outcome and duration of each signature. */
function startLoad() {
  const outcomes: { error?: Error; tookMs: number }[] = []
  let stopped = false
  const signer = async () => {
    while (!stopped) {
      const startedMs = performance.now()
      const outcome = await sign().catch((error: unknown) => error as Error)
      const tookMs = performance.now() - startedMs
      outcomes.push(Buffer.isBuffer(outcome) ? { tookMs } : { error: outcome, tookMs })
      await pause(10)
    }
  }
  const signers = Promise.all(Array.from({ length: 8 }, signer))
  return {
    outcomes,
    failed: () => outcomes.filter(({ error }) => error !== undefined),
    async stop() {
      stopped = true
      await signers
    },
  }
}

describeWithOwn('softhsm', 'a key in a token heals', () => {
  it('when the token was unavailable at start', async () => {
    await token.remove()
    await open()
    expect(() => key.identity()).toThrow(KeyUnavailable)
    expect(() => key.identity()).toThrow(
      /PKCS11_TOKEN_LABEL is "einvoicing", but no token has this label/,
    )
    await expect(key.sign(bytes)).rejects.toThrow(KeyUnavailable)
    await token.restore()
    await untilSigned()
  })

  it('when the token is pulled out under load and put back, refusing at once meanwhile', async () => {
    await open(patient)
    const load = startLoad()
    await until(() => load.outcomes.length > 20)
    await token.remove()
    await until(() => load.outcomes.slice(-20).every(({ error, tookMs }) => error && tookMs < 500))
    await token.restore()
    await untilSigned()
    await load.stop()
    expect(load.outcomes[0]!.error).toBeUndefined()
    expect(load.failed().filter(({ error }) => !(error instanceof KeyUnavailable))).toEqual([])
  })

  it('when the module crashes under load: waiting requests go to the next process', async () => {
    await open({ ...patient, shortLifeMs: 0 })
    const load = startLoad()
    await until(() => load.outcomes.length > 20)
    const first = holder()!
    process.kill(first, 'SIGKILL')
    await until(() => holder() !== undefined && holder() !== first)
    const { length } = load.outcomes
    await until(() => load.outcomes.length > length + 100)
    await load.stop()
    expect(load.failed()).toEqual([])
  })

  it('when the module hangs: waiting requests fail in time, and the process is replaced', async () => {
    // After a longer life, the request would go to the next process.
    await open({ signMs: 30_000, shortLifeMs: Infinity })
    const first = holder()!
    process.kill(first, 'SIGSTOP')
    const refused = within(10_000, sign(), () => new Error('not in time'))
    await expect(refused).rejects.toThrow(/did not answer within 3 s of a request for a signature/)
    await untilSigned()
    expect(holder()).not.toBe(first)
  })

  it('when the PIN was changed, but tries the old one once and no more', async () => {
    await open()
    const words = ['--login', '--pin', token.pin, '--change-pin', '--new-pin', '135791']
    pkcs11Tool(token, words)
    process.kill(holder()!, 'SIGKILL')
    const wrongPin = /is not the one in PKCS11_PIN_FILE: correct the file/
    await until(() => wrongPin.test(problem() ?? ''))
    await until(() => holder() === undefined)
    for (let looked = 0; looked < 20; looked++, await pause(100)) expect(holder()).toBeUndefined()
    await writeFile(token.pinFile, '135791\n')
    await untilSigned()
  })

  it('with the certificate that was installed meanwhile', async () => {
    await open()
    const before = key.identity()
    await token.key(['show'])
    pkcs11Tool(token, ['--login', '--pin', token.pin, '--delete-object', '--type', 'cert', '--label', nameOfCertificate]) // oxfmt-ignore
    await token.key(['self-certify'])
    const first = holder()!
    process.kill(first, 'SIGKILL')
    await until(() => holder() !== first)
    await untilSigned()
    expect(key.identity().certificates[0].equals(before.certificates[0])).toBe(false)
  })
})

const nameOfCertificate =
  'C=MA, O=Electronic Invoicing Service, CN=Electronic Invoicing Service Signer'
