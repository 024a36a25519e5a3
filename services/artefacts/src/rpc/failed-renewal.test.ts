import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { AddEvidenceRequest, EvidenceAnswer } from '@einvoicing/proto/artefacts'
import type { Call } from '@einvoicing/rpc/call'
import { systemClock } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { readArtefactsConfig } from '../config'
import { openArtefacts, type Artefacts } from '../service'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import { makeKeepRequest, strangersCertificateFile, trust } from '../testdata/signed-xml'

const organizationId = '11111111-1111-4111-8111-111111111111'
const call = (): Call => ({
  caller: { service: 'invoices', organizationId, actor: 'service:invoices' },
  requestId: 'test',
  deadline: Date.now() + 60_000,
})

let dataDir: string
let config: ReturnType<typeof readArtefactsConfig>
let signers: string
let tsa: Sandbox
let service: Artefacts
let logged: string[]
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'failed-renewal-'))
  signers = path.join(dataDir, 'signers.pem')
  await copyFile(trust.file!, signers)
  // Renewal is due at once.
  tsa = await startSandbox({ crlSeconds: 1, certificateDays: 300 })
  const env = new EnvReader({ TSA_URL: tsa.tsaUrl, ENVIRONMENT: 'test' })
  const trusted = { file: signers, isOptional: false }
  config = { ...readArtefactsConfig(env, dataDir), trust: trusted }
  service = await open()
})
beforeEach(() => {
  logged = []
})
afterEach(async () => {
  await copyFile(trust.file!, signers)
  await tsa.behave({ tsaErrorRate: 0 })
})
afterAll(async () => {
  await service.close()
  await tsa.stop()
  await rm(dataDir, { recursive: true })
})

const open = (): Promise<Artefacts> =>
  openArtefacts(config, {
    now: systemClock,
    log: createLog('warn', { write: (line) => void logged.push(line) }),
  })

async function reopen(): Promise<void> {
  await service.close()
  service = await open()
}

let count = 0
function makeId(): string {
  count += 1
  return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`
}

async function stamp(invoiceId: string): Promise<Buffer> {
  await service.handlers.keepSignedXml(makeKeepRequest(invoiceId), call())
  return Buffer.from((await service.handlers.timeStampSignature({ invoiceId }, call())).token!)
}

const add = (request: Pick<AddEvidenceRequest, 'invoiceId' | 'token' | 'artefact'>) =>
  service.handlers.addEvidence(
    { invoiceDate: '2026-05-03', signedAt: undefined, ...request },
    call(),
  )

async function complete(request: Parameters<typeof add>[0]): Promise<EvidenceAnswer> {
  for (;;) {
    try {
      const answer = await add(request)
      if (answer.waitUntil === undefined) return answer
      await delay(Date.parse(answer.waitUntil) - Date.now())
    } catch (error) {
      if (!String((error as Error).cause).includes('the authority is late')) throw error
    }
  }
}

test.each([
  ['the present certificate is known', () => stamp(makeId())],
  ['only another stamp would say which certificate stamps', reopen],
])('a renewal waits for a day while what is held is invalid: %s', async (_, begin) => {
  const invoiceId = makeId()
  const token = await stamp(invoiceId)
  expect(await complete({ invoiceId, token, artefact: undefined })).toMatchObject({ artefact: 1 })
  await tsa.post('replace')
  await begin()
  await copyFile(strangersCertificateFile, signers)
  await tsa.behave({ tsaErrorRate: 1 })
  const held = { invoiceId, token: undefined, artefact: 1 }
  const { waitUntil = '' } = await add(held)
  expect(Date.parse(waitUntil)).toBeGreaterThan(Date.now() + 80_000_000)
  const [warning = '', ...more] = logged
  expect(more).toEqual([])
  expect(JSON.parse(warning)).toMatchObject({
    level: 'warn',
    invoiceId,
    organizationId,
    nextAttemptAt: waitUntil,
    err: { message: expect.stringMatching(/authority: no trusted certificate/) as string },
    msg: expect.stringMatching(/TRUSTED_CERTIFICATES_FILE/) as string,
  })

  await copyFile(trust.file!, signers)
  await tsa.behave({ tsaErrorRate: 0 })
  expect(await complete(held)).toMatchObject({ level: 'XAdES-B-LTA', artefact: 2 })
})

test.each([
  ['the present certificate is known', async () => undefined],
  ['only another stamp would say which certificate stamps', reopen],
])('no time stamp is bought for evidence that would not be valid: %s', async (_, begin) => {
  const invoiceId = makeId()
  const token = await stamp(invoiceId)
  token[token.length - 1]! ^= 1
  await delay(2_000)
  await begin()
  await tsa.behave({ tsaErrorRate: 1 })
  await expect(complete({ invoiceId, token, artefact: undefined })).rejects.toThrow(
    /was not stored: timeStamp/,
  )
})
