/**
 * Backing services that others run, handed over by their addresses: the archive is unavailable,
 * MongoDB loses its primary, the token is pulled out, each under load.
 */

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { artefactKey } from '@einvoicing/artefacts/artefact'
import { S3Connection } from '@einvoicing/artefacts/objects/s3/connection'
import { listKeys } from '@einvoicing/artefacts/objects/s3/versions'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { inBatches } from '@einvoicing/servers/in-batches'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { startMinio, type S3 } from '@einvoicing/servers/s3'
import { eventually } from '@einvoicing/servers/eventually'
import { disposeAfter } from '../stack/dispose-after'
import { requestJson } from '../stack/http'
import { anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { backingServices, startServices, type Services } from '../stack/services'
import { makeSigningToken, type SigningToken } from '../stack/signing-token'
import { createUnderLoad } from './load'
import { expectNothingLost } from './nothing-lost'
import { createPersistently, type PersistentLoad } from './persistent-load'
import { setBehaviour, submissionTotal } from './record'

const run = promisify(execFile)
const adminProgram = path.join(__dirname, '../../deploy/admin/dist/main.js')
const artefactsEach = 3 // signed XML, PDF, QR
const healsWithinMs = 60_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describeWithOwn(
  backingServices,
  'services as processes, on backing services that others run',
  () => {
    const disposed = disposeAfter(afterAll)
    let mongod: Mongod
    let minio: S3
    let token: SigningToken
    let archive: Record<string, string>
    let services: Services
    let organization: Organization
    let made = 0

    beforeAll(async () => {
      token = disposed(await makeSigningToken())
      mongod = disposed(await startMongod({ members: 3 }))
      minio = disposed(await startMinio())
      const secretFile = `${token.pinFile}.s3`
      await writeFile(secretFile, minio.secretKey, { mode: 0o600 })
      archive = {
        S3_URL: minio.url,
        S3_BUCKET: 'invoices',
        S3_ACCESS_KEY: minio.accessKey,
        S3_SECRET_KEY_FILE: secretFile,
      }
      const env = {
        ...archive,
        ...token.settings,
        MONGODB_URL: mongod.url,
        SIMULATOR_TRUSTED_CERTIFICATES: token.authorityFile,
      }
      services = disposed(await startServices({ gateways: 2, env }))
    }, 300_000)
    beforeEach(async () => {
      organization = await newOrganization(services)
    })

    const seed = drawSeed('services-outages')
    const load = (): PersistentLoad =>
      createPersistently({
        urls: services.urls,
        key: organization.key.key,
        random: seededRandom(seed),
        connections: 4,
        pauseMs: 500,
      })

    async function expectAllThere(working: PersistentLoad): Promise<void> {
      made += await expectNothingLost(working, organization)
      expect(await submissionTotal(services.simulatorUrl)).toBe(made)
    }

    /** Throws until so many more are acknowledged. */
    async function expectProgress({ acknowledged }: PersistentLoad): Promise<void> {
      const enough = acknowledged.length + 10
      await eventually(
        async () => expect(acknowledged.length).toBeGreaterThan(enough),
        healsWithinMs,
      )
    }

    test(`with the archive unavailable, creation continues, and is served (SEED=${seed})`, async () => {
      const { invoices } = organization
      const { id: early } = await invoices.created()
      await invoices.decided(early)
      await setBehaviour(services.simulatorUrl, { latencyMs: 30_000 })
      const working = createUnderLoad(invoices, { connections: 2, random: seededRandom(seed) })
      await minio.stop()
      const { id: late } = await invoices.created()
      for (const kind of ['xml', 'pdf'] as const) {
        expect((await invoices.bytes(late, kind)).length).toBeGreaterThan(1_000)
      }
      await pause(1_000)
      // What was archived, or would have to be before it is shown, waits.
      const { status, headers } = await invoices.at(`${early}/pdf`, 'GET')
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
      await eventually(async () => expect(working.acknowledged.length).toBeGreaterThan(10))
      working.stop()
      await working.done
      await minio.start()
      await setBehaviour(services.simulatorUrl, { latencyMs: 200 })
      expect([working.refused, working.unanswered]).toEqual([[], []])
      expect((await invoices.list()).data.totalElements).toBe(working.acknowledged.length + 2)
      made += working.acknowledged.length + 2
    }, 300_000)

    test('MongoDB’s primary steps down, and the next one is killed', async () => {
      const working = load()
      await pause(1_000)
      await mongod.stepDown()
      await expectProgress(working)
      const primary = await mongod.primary()
      await primary.kill9()
      await expectProgress(working)
      await primary.start()
      await expectProgress(working)
      await working.stop()
      await expectAllThere(working)
    }, 360_000)

    test('without its token nothing is stored; it continues once the token is back', async () => {
      const { invoices } = organization
      const body = anInvoice()
      const working = load()
      await pause(1_000)
      await token.remove()
      const refused = await eventually(async () => {
        const answer = await invoices.create({
          ...body,
          invoiceNumber: `${body.invoiceNumber}-try`,
        })
        if (answer.code !== 'SERVICE_UNAVAILABLE') throw new Error(`answered ${answer.code}`)
        return invoices.create(body)
      }, healsWithinMs)
      expect([refused.status, refused.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const ready = await requestJson('GET', `${services.baseUrl}/readyz`)
      expect([ready.status, ready.message]).toEqual([503, expect.stringContaining('pkcs11')])
      expect((await invoices.list({ invoiceNumber: body.invoiceNumber })).data.totalElements).toBe(
        0,
      )
      await token.restore()
      await expectProgress(working)
      expect((await invoices.create(body)).status).toBe(201)
      await working.stop()
      await expectAllThere(working)
    }, 360_000)

    test('everything is archived in the end, each object complete and locked', async () => {
      await eventually(
        async () => {
          const { stdout } = await run(process.execPath, [adminProgram, 'archive', 'verify'], {
            env: archive,
          })
          // Evidence of some documents may be there by now.
          const read = /^(\d+) objects read, 0 damaged(?:; (\d+) proofs verified)?\n$/.exec(stdout)
          const [, objects, proofs = '0'] = read ?? [stdout]
          expect(Number(objects) - Number(proofs)).toBe(made * artefactsEach)
        },
        90_000,
        1_000,
      )
    }, 120_000)

    test('350 documents that the archive rejects do not delay 20 of another organization', async () => {
      const [greedy, other] = [organization, await newOrganization(services)]
      const { url, accessKey, secretKey, region } = minio
      const place = { url, accessKey, region, bucket: archive['S3_BUCKET']! }
      const bucket = new S3Connection(place, secretKey)
      // What stands at a document's place already is never replaced.
      await services.signal('artefacts', 'SIGSTOP')
      await inBatches(Array.from({ length: 350 }), async () => {
        const { id } = await greedy.invoices.created()
        const key = artefactKey(greedy.id, id, 'signedXml')
        await bucket.call((client) => client.putObject(place.bucket, key, 'another document'))
      })
      await inBatches(Array.from({ length: 20 }), () => other.invoices.created())
      await services.signal('artefacts', 'SIGCONT')
      const since = performance.now()
      await eventually(
        async () => {
          const stored = await listKeys(bucket, other.id, 100)
          const theirs = stored.filter((key) => key.startsWith(`${other.id}/`) && /xml$/.test(key))
          expect(theirs.length).toBe(20)
        },
        60_000,
        250,
      )
      const seconds = ((performance.now() - since) / 1_000).toFixed(1)
      process.stderr.write(`beside 350 that cannot be archived: 20 archived in ${seconds} s\n`)
      bucket.close()
    }, 360_000)
  },
)
