import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { createLog } from '@einvoicing/runtime/log'
import { signatureTimeStampInput } from '@einvoicing/verification/evidence'
import { readSignedParts } from '@einvoicing/verification/signature-form'
import { openRevocations } from '../revocations/cached-revocations'
import { NotYetPublished, type Revocations } from '../revocations/revocations'
import { startSandbox, type Sandbox } from '../testdata/sandbox'
import { signedXml } from '../testdata/signed-xml'
import { openHttpClient } from '../time-stamps/http-client'
import { openHttpTimeStamps } from '../time-stamps/http-time-stamps'
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
async function compose(composer: Composer, token: Buffer): Promise<Buffer> {
  for (;;) {
    try {
      const parts = { original: signedXml, token, isArchive: true }
      return await composeEvidence(composer, parts, Date.now() + 60_000)
    } catch (error) {
      const isLate = String((error as Error).cause).includes('the authority is late')
      if (!(error instanceof NotYetPublished) && !isLate) throw error
      await delay(500)
    }
  }
}

test('the certificate about which data was collected stamps, or it is tried again', async () => {
  const { tsaUrl: url } = sandbox
  const config = { trustedCertificatesFile: undefined, policy: undefined, user: undefined }
  const timeStamps = openHttpTimeStamps({ url, hash, ...config }, { http, now })
  const stamp = async () => {
    const input = signatureTimeStampInput(readSignedParts(signedXml))
    const digest = createHash(hash).update(input).digest()
    const query = { hash, digest, notBefore: now(), deadline: Date.now() + 60_000 } as const
    return (await timeStamps.stamp(query)).token
  }
  const published = openRevocations({
    ...{ http, now, files: [], isSandbox: true, sandboxCrlUrl: `${url}/crl` },
  })
  let isReplaced = false
  const revocations: Revocations = {
    async about(query) {
      const answer = await published.about(query)
      // Meanwhile another document is stamped, by the next certificate.
      if (!isReplaced) {
        isReplaced = true
        await sandbox.post('replace')
        await stamp()
      }
      return answer
    },
  }
  const readTrust = async () => ({ signers: undefined, timeStamps: await timeStamps.trusted() })
  const composer = { timeStamps, hash, revocations, threads, now, readTrust } as const
  const token = await stamp()
  await expect(compose(composer, token)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: new Error('the authority now uses another certificate'),
  })
  await compose(composer, token)
})
