import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ApiError } from '@einvoicing/domain/api-error'
import { TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import { parseToken } from '@einvoicing/verification/time-stamps/token'
import { readTrust } from '../rpc/read-trust'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import type { TimeStampConfig } from './config'
import { openHttpClient } from './http-client'
import { openHttpTimeStamps } from './http-time-stamps'
import { openTimeStampTrust } from './trust'

const digest = createHash('sha256').update('a signature').digest()
const http = openHttpClient()
let sandbox: Sandbox
let folder: string

beforeAll(async () => {
  sandbox = await startSandbox()
  folder = await mkdtemp(path.join(tmpdir(), 'time-stamps-'))
})
afterAll(async () => {
  await http.close()
  await sandbox.stop()
  await rm(folder, { recursive: true })
})

function open(
  changes: Partial<TimeStampConfig> = {},
  now = () => new Date(),
  elapsedMs?: () => number,
) {
  const config = { trustedCertificatesFile: undefined, policy: undefined, user: undefined }
  return openHttpTimeStamps(
    { ...config, url: sandbox.tsaUrl, hash: 'sha256', ...changes },
    { http, now, ...(elapsedMs && { elapsedMs }) },
  )
}

const query = (deadlineMs = 10_000) => ({
  ...({ hash: 'sha256', digest, notBefore: new Date() } as const),
  deadline: Date.now() + deadlineMs,
})

async function whileItBehaves(behaviour: object, work: () => Promise<void>): Promise<void> {
  await sandbox.behave(behaviour)
  try {
    await work()
  } finally {
    await sandbox.behave(Object.fromEntries(Object.keys(behaviour).map((name) => [name, 0])))
  }
}

/** Why there was no stamp. */
async function findReason(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  expect((error as ApiError).code).toBe('SERVICE_UNAVAILABLE')
  return String((error as ApiError).cause)
}

test('a stamp holds the digest and its time', async () => {
  const { token, time } = await open().stamp(query())
  expect(parseToken(token).info).toMatchObject({ digest, time })
  expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(10_000)
})

test('the certificates of a stamp are requested again after ten minutes', async () => {
  const own = await startSandbox()
  try {
    let elapsedMs = 0
    const stamps = open({ url: own.tsaUrl }, undefined, () => elapsedMs)
    const { certificates } = await stamps.stamp(query())
    await own.post('replace')
    elapsedMs = 599_999
    expect(await stamps.certificates(Date.now() + 10_000)).toEqual(certificates)
    elapsedMs = 600_000
    const [next] = await stamps.certificates(Date.now() + 10_000)
    expect(next.raw.equals(certificates[0].raw)).toBe(false)
  } finally {
    await own.stop()
  }
})

test('an authority is trusted by a file only', async () => {
  const trustedCertificatesFile = path.join(folder, 'root.pem')
  await writeFile(trustedCertificatesFile, await (await fetch(`${sandbox.tsaUrl}/root`)).text())
  await open({ trustedCertificatesFile }).stamp(query())
  const other = path.join(__dirname, '../testdata/trusted-certificate.pem')
  expect(await findReason(open({ trustedCertificatesFile: other }).stamp(query()))).toMatch(
    'no trusted authority',
  )
})

test.each([
  ['answers 503', { tsaErrorRate: 1 }, /HTTP 503/],
  ['cuts the connection', { tsaCutRate: 1 }, /closed|reset|socket/i],
  ['refuses', { tsaRejectionRate: 1 }, /issued no time stamp: Rejected, because/],
  ['stamps another digest', { tsaWrongImprintRate: 1 }, /another digest/],
  ['answers another request', { tsaWrongNonceRate: 1 }, /nonce differs/],
  ['stamps a day early', { tsaOldTimeRate: 1 }, /too old/],
  ['is not trusted', { tsaUntrustedRate: 1 }, /no trusted authority/],
  [
    'has a certificate for more than time stamps',
    { tsaWrongUsageRate: 1 },
    /not restricted to time stamps/,
  ],
])(
  'there is no stamp from an authority that %s, and one once it works',
  async (_, behaviour, reason) => {
    const stamps = open()
    await whileItBehaves(behaviour, async () => {
      expect(await findReason(stamps.stamp(query()))).toMatch(reason)
    })
    await stamps.stamp(query())
  },
)

test('waits no longer than its caller', async () => {
  await whileItBehaves({ tsaLatencyMs: 60_000 }, async () => {
    const startedMs = performance.now()
    expect(await findReason(open().stamp(query(5_000)))).toMatch(/timeout|aborted/i)
    expect(performance.now() - startedMs).toBeLessThan(30_000)
  })
})

test('buys no stamp whose answer would come too late, and blames no one for it', async () => {
  const own = await startSandbox()
  try {
    const stamps = open({ url: own.tsaUrl })
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect(await findReason(stamps.stamp(query(900)))).toMatch('no time is left')
    }
    await stamps.stamp(query())
  } finally {
    await own.stop()
  }
})

test('requests that come at once get the certificates of one stamp', async () => {
  const stamps = open()
  const deadline = Date.now() + 10_000
  const [first, ...others] = await Promise.all(
    Array.from({ length: 5 }, () => stamps.certificates(deadline)),
  )
  for (const other of others) expect(other).toBe(first)
})

test('with a slow clock, a stamp from the future is rejected', async () => {
  const behind = () => new Date(Date.now() - 120_000)
  expect(await findReason(open({}, behind).stamp(query()))).toMatch('from the future')
})

test('requests the policy of the settings', async () => {
  const policy = '1.3.6.1.4.1.32473.1'
  const { token } = await open({ policy }).stamp(query())
  expect(parseToken(token).info.policy).toBe(policy)
})

test('the trusted stamps are known while the authority is unavailable', async () => {
  const passing = await startSandbox()
  const config = { url: passing.tsaUrl, trustedCertificatesFile: undefined }
  const trusted = new TrustedCertificates({
    file: path.join(__dirname, '../testdata/trusted-certificate.pem'),
    isOptional: false,
  })
  const timeStamps = openTimeStampTrust(config, http, 0)
  const known = await readTrust({ trusted, timeStamps })
  expect(known.timeStamps?.certificates).toHaveLength(1)
  await passing.stop()
  expect(await readTrust({ trusted, timeStamps })).toEqual(known)
  const never = await readTrust({ trusted, timeStamps: openTimeStampTrust(config, http) })
  expect(never).toEqual({ signers: known.signers, timeStamps: undefined })
})

test('after failures in a row it tries once in a while, until it succeeds', async () => {
  const stamps = open()
  await whileItBehaves({ tsaErrorRate: 1 }, async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await findReason(stamps.stamp(query()))
  })
  expect(await findReason(stamps.stamp(query()))).toMatch('several times in a row')
})
