import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { createLog } from '@einvoicing/runtime/log'
import { signatureTimeStampInput } from '@einvoicing/verification/evidence'
import { readSignedParts } from '@einvoicing/verification/signature-form'
import { makeKeys, signBy, TestAuthority } from '@einvoicing/verification/testdata/long-term'
import { verifyInvoice } from '@einvoicing/verification/verify/report'
import { openRevocations } from '../revocations/cached-revocations'
import { NotYetPublished, type Revocations } from '../revocations/revocations'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import { signedXml } from '../testdata/signed-xml'
import { openHttpClient } from '../time-stamps/http-client'
import { openHttpTimeStamps } from '../time-stamps/http-time-stamps'
import type { TimeStamp, TimeStamps } from '../time-stamps/time-stamps'
import { composeEvidence, type Composer } from './compose'
import { openEvidenceThreads } from './threads'

const hash = 'sha256'
const http = openHttpClient()
const threads = openEvidenceThreads(createLog('silent'))
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ crlSeconds: 1 })
})
afterAll(async () => {
  await threads.close()
  await http.close()
  await sandbox.stop()
})

/** As soon as the authority has revocation data that is new enough. */
async function compose(
  composer: Composer,
  token: Buffer,
  original: Buffer = signedXml,
): Promise<Buffer> {
  for (;;) {
    try {
      const parts = { original, token, isArchive: true }
      return await composeEvidence(composer, parts, Date.now() + 60_000)
    } catch (error) {
      const isLate = String((error as Error).cause).includes('the authority is late')
      if (!(error instanceof NotYetPublished) && !isLate) throw error
      await delay(500)
    }
  }
}

function openTimeStamps() {
  const { tsaUrl: url } = sandbox
  const config = { trustedCertificatesFile: undefined, policy: undefined, user: undefined }
  return openHttpTimeStamps({ url, hash, ...config }, { http, now })
}

const openSandboxRevocations = (files: string[] = []) =>
  openRevocations({
    http,
    now,
    files,
    isSandbox: true,
    sandboxCrlUrl: `${sandbox.tsaUrl}/crl`,
  })

function stampSignature(timeStamps: TimeStamps, original: Buffer = signedXml): Promise<TimeStamp> {
  const input = signatureTimeStampInput(readSignedParts(original))
  const digest = createHash(hash).update(input).digest()
  return timeStamps.stamp({ hash, digest, notBefore: now(), deadline: Date.now() + 60_000 })
}

test('the certificate about which data was collected stamps, or it is tried again', async () => {
  const timeStamps = openTimeStamps()
  const published = openSandboxRevocations()
  let isReplaced = false
  const revocations: Revocations = {
    async about(query) {
      const answer = await published.about(query)
      // Meanwhile another document is stamped, by the next certificate.
      if (!isReplaced) {
        isReplaced = true
        await sandbox.post('replace')
        await stampSignature(timeStamps)
      }
      return answer
    },
  }
  const readTrust = async () => ({ signers: undefined, timeStamps: await timeStamps.trusted() })
  const composer = { timeStamps, hash, revocations, threads, now, readTrust } as const
  const { token } = await stampSignature(timeStamps)
  await expect(compose(composer, token)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: new Error('the authority now uses another certificate'),
  })
  await compose(composer, token)
})

describe('a signer whose certificate is revoked', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'compose-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** With a list that states the revocation, in seconds after the time stamp. */
  async function composeRevoked(seconds: number): Promise<string[]> {
    const authority = await TestAuthority.make()
    const keys = await makeKeys()
    const signer = await authority.issueSigner(keys)
    const original = signBy(signer, keys)
    const timeStamps = openTimeStamps()
    const { token, time } = await stampSignature(timeStamps, original)
    const entry = {
      serialNumber: signer.serialNumber,
      revocationDate: new Date(time.getTime() + seconds * 1_000),
    }
    const file = path.join(folder, 'list.crl')
    await writeFile(file, await authority.list(new Date(time.getTime() + 60_000), [entry]))
    const trust = { signers: [authority.root], timeStamps: await timeStamps.trusted() }
    const revocations = openSandboxRevocations([file])
    const readTrust = async () => trust
    const composer = { timeStamps, hash, revocations, threads, now, readTrust } as const
    const { checks } = verifyInvoice(await compose(composer, token, original), trust)
    return checks.flatMap(({ ok, name }) => (ok ? [] : [name]))
  }

  test('after the time stamp has valid evidence', async () => {
    expect(await composeRevoked(30)).toEqual([])
  })

  test('before the time stamp has none', async () => {
    await expect(composeRevoked(-30)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/was revoked on/) as string },
    })
  })
})
