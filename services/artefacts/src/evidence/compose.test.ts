import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { createLog } from '@einvoicing/runtime/log'
import { signatureTimeStampInput } from '@einvoicing/verification/evidence'
import { readSignedParts } from '@einvoicing/verification/signature-form'
import {
  addAll,
  makeKeys,
  now as archivedAt,
  signBy,
  stampArchive,
  stampedAt,
  TestAuthority,
} from '@einvoicing/verification/testdata/long-term'
import { verifyInvoice } from '@einvoicing/verification/verify/report'
import { openRevocations } from '../revocations/cached-revocations'
import { NotYetPublished } from '../revocations/revocations'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import { signedXml } from '../testdata/signed-xml'
import { openHttpClient } from '../time-stamps/http-client'
import { openHttpTimeStamps } from '../time-stamps/http-time-stamps'
import type { TimeStamp, TimeStamps } from '../time-stamps/time-stamps'
import { composeEvidence, InvalidEvidence, renewEvidence, type Composer } from './compose'
import { openEvidenceThreads, type EvidenceThreads } from './threads'

const hash = 'sha256'
const http = openHttpClient()
const threads = openEvidenceThreads(createLog('silent'))
let folder: string
let sandbox: Sandbox
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'compose-'))
  sandbox = await startSandbox({ crlSeconds: 1 })
})
afterAll(async () => {
  await threads.close()
  await http.close()
  await sandbox.stop()
  await rm(folder, { recursive: true })
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
  let isReplaced = false
  const passed: EvidenceThreads = {
    ...threads,
    async digest(task, deadline) {
      // Meanwhile another document is stamped, by the next certificate.
      if (!isReplaced) {
        isReplaced = true
        await sandbox.post('replace')
        await stampSignature(timeStamps)
      }
      return threads.digest(task, deadline)
    },
  }
  const readTrust = async () => ({ signers: undefined, timeStamps: await timeStamps.trusted() })
  const revocations = openSandboxRevocations()
  const composer = { timeStamps, hash, revocations, threads: passed, now, readTrust } as const
  const { token } = await stampSignature(timeStamps)
  await expect(compose(composer, token)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: new Error('the authority now uses another certificate'),
  })
  await compose(composer, token)
})

describe('a signer whose certificate is revoked', () => {
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

describe('a signer whose certificate ended before the newest list', () => {
  const after = (minutes: number) => new Date(+stampedAt + minutes * 60_000)

  /** Held with a list of that minute; the certificate ended after an hour. */
  async function composeEnded(minute?: number): Promise<Buffer> {
    const authority = await TestAuthority.make()
    const { root, stamper } = authority
    const keys = await makeKeys()
    const original = signBy(await authority.issueSigner(keys, after(60)), keys)
    const input = signatureTimeStampInput(readSignedParts(original))
    const token = authority.stamp(stamper, { input })
    const file = path.join(folder, 'list.crl')
    await writeFile(file, await authority.list())
    const files = { http, files: [file], isSandbox: false, sandboxCrlUrl: undefined }
    const trust = { signers: [root], timeStamps: [root] }
    const composer: Composer = {
      ...{ hash, threads, now: () => archivedAt, readTrust: async () => trust },
      timeStamps: {
        certificates: async () => [stamper],
        stamp: () => Promise.reject(new Error('a stamp is bought')),
      },
      revocations: openRevocations({ ...files, now: () => archivedAt }),
    }
    const deadline = Date.now() + 60_000
    const crls = minute === undefined ? [] : [await authority.list(after(minute))]
    const document = addAll({ original, token, certificates: [root.raw], crls })
    const held = minute === undefined ? {} : { held: await threads.read(document, deadline) }
    return composeEvidence(composer, { original, token, isArchive: true, ...held }, deadline)
  }

  test.each([
    ['none', undefined],
    ['a list from after that', 61],
    ['one from before the stamp', -1],
  ])('gets no evidence, and no stamp is bought, where %s is held', async (_, minute) => {
    const composed = composeEnded(minute)
    await expect(composed).rejects.toBeInstanceOf(InvalidEvidence)
    await expect(composed).rejects.toThrow(/no revocation data about CN=signer was published/)
  })

  test('gets it where the document that is replaced has an older list', async () => {
    await expect(composeEnded(30)).rejects.toThrow('a stamp is bought')
  })
})

describe('a renewal with a list that says that the signer was revoked', () => {
  const renewedAt = new Date('2027-05-05T12:00:00Z')

  async function renewRevoked(revokedAt: string): Promise<Buffer> {
    const authority = await TestAuthority.make()
    const { root, stamper } = authority
    const keys = await makeKeys()
    const signer = await authority.issueSigner(keys)
    const original = signBy(signer, keys)
    const input = signatureTimeStampInput(readSignedParts(original))
    const token = authority.stamp(stamper, { input })
    const crls = [await authority.list()]
    const longTerm = addAll({ original, token, certificates: [root.raw], crls })
    const document = stampArchive(longTerm, authority, { number: 1, time: archivedAt })
    const entry = { serialNumber: signer.serialNumber, revocationDate: new Date(revokedAt) }
    const bytes = await authority.list(renewedAt, [entry])
    const composer: Composer = {
      hash,
      threads,
      now: () => renewedAt,
      timeStamps: {
        certificates: async () => [stamper],
        stamp: () => Promise.reject(new Error('a stamp is bought')),
      },
      revocations: { about: async () => ({ kind: 'crl', bytes, thisUpdate: renewedAt }) },
      readTrust: async () => ({ signers: [root], timeStamps: [root] }),
    }
    const deadline = Date.now() + 60_000
    const read = await threads.read(document, deadline)
    return renewEvidence(composer, { document, read }, deadline)
  }

  test('before the time stamp buys no stamp', async () => {
    const renewed = renewRevoked('2026-05-01T00:00:00Z')
    await expect(renewed).rejects.toThrow(/revoked on .* the certificate of the signature/)
    await expect(renewed).rejects.toBeInstanceOf(InvalidEvidence)
  })

  test('after it buys one', async () => {
    await expect(renewRevoked('2027-05-01T00:00:00Z')).rejects.toThrow('a stamp is bought')
  })
})
