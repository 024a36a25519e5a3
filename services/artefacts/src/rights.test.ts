import { promises as fs } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { systemClock } from '@einvoicing/runtime/clock'
import { createLog } from '@einvoicing/runtime/log'
import { joinLocally, type Call, type Service } from '@einvoicing/rpc/call'
import type { ServiceName } from '@einvoicing/rpc/service-name'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import type { ArchiveConfig } from './config'
import { openArtefacts, type Artefacts } from './service'
import { awaitingInvoice, sampleInvoice } from './testdata/invoices'
import { S3ForTest } from './testdata/s3-servers'
import {
  makeKeepRequest,
  otherSignedXml,
  signedXml,
  strangersCertificateFile,
  strangersXml,
  trust,
} from './testdata/signed-xml'

interface Archive {
  config: ArchiveConfig
  /** How many objects there are, whatever version. */
  count: () => Promise<number>
  dispose: () => Promise<void>
}

async function onFilesystem(): Promise<Archive> {
  const directory = await fs.mkdtemp(path.join(os.tmpdir(), 'artefacts-'))
  return {
    config: { kind: 'filesystem', directory },
    count: async () => {
      const files = await fs.readdir(directory, { recursive: true })
      return files.filter((file) => /\.(xml|pdf|png)\/./.test(file)).length / 2
    },
    dispose: () => fs.rm(directory, { recursive: true, force: true }),
  }
}

async function onS3(): Promise<Archive> {
  const s3 = await S3ForTest.start('minio')
  const config = s3.config()
  return {
    config,
    count: async () => (await s3.hand(config.bucket).versions()).length,
    dispose: () => s3.dispose(),
  }
}

const { organizationId } = sampleInvoice()
const rejected = { status: InvoiceStatus.REJECTED, dgiErrorCode: 'INVALID_BUYER_ICE' }

function call(service: ServiceName): Call {
  const caller = { service, organizationId, actor: 'test' }
  return { caller, requestId: 'test', deadline: Date.now() + 20_000 }
}

let invoices = 0
function fresh<T extends Invoice>(invoice: T): T {
  invoices += 1
  return { ...invoice, id: `00000000-0000-4000-8000-${String(invoices).padStart(12, '0')}` }
}

function who(open: () => Promise<Archive>): void {
  let archive: Archive
  let artefacts: Artefacts
  let service: Service<ArtefactsService>

  beforeAll(async () => {
    archive = await open()
    const deps = { now: systemClock, log: createLog('silent') }
    artefacts = await openArtefacts({ ...archive.config, trust, environment: 'live' }, deps)
    service = joinLocally('artefacts', artefacts.handlers)
  })
  afterAll(async () => {
    await artefacts.close()
    await archive.dispose()
  })

  test.each(['gateway', 'clearance', 'organizations', 'signer'] as const)(
    '%s may neither store documents nor list those of all organizations',
    async (name) => {
      const before = await archive.count()
      const { id } = fresh(sampleInvoice())
      const refused = { code: 'CALLER_REFUSED' }
      const attempt = call(name)
      await expect(service.keepSignedXml(makeKeepRequest(id), attempt)).rejects.toMatchObject(
        refused,
      )
      const final = { invoice: fresh(sampleInvoice()) }
      await expect(service.keepFinalArtefacts(final, attempt)).rejects.toMatchObject(refused)
      await expect(service.listKeptXml({}, attempt)).rejects.toMatchObject(refused)
      expect(await archive.count()).toBe(before)
    },
  )

  test('invoices may write, each once', async () => {
    const before = await archive.count()
    const invoice = fresh(sampleInvoice())
    for (let twice = 0; twice < 2; twice += 1) {
      await service.keepSignedXml(makeKeepRequest(invoice.id), call('invoices'))
      await service.keepFinalArtefacts({ invoice }, call('invoices'))
    }
    expect(await archive.count()).toBe(before + 3)
  })

  test('a read by the gateway is drawn and never stored', async () => {
    const before = await archive.count()
    const accepted = fresh(sampleInvoice())
    const all = [accepted, fresh(awaitingInvoice(rejected)), fresh(awaitingInvoice())]
    for (const invoice of all) {
      const { content } = await service.readPdf({ invoice }, call('gateway'))
      expect(content.subarray(0, 5).toString()).toBe('%PDF-')
    }
    await service.readQr({ invoice: accepted }, call('gateway'))
    expect(await archive.count()).toBe(before)
  })

  test('content sent by the gateway is ignored once the artefacts are stored', async () => {
    const invoice = fresh(sampleInvoice())
    const forged = { ...invoice, amountTtc: 1, invoiceNumber: 'FORGED', dgiQrCode: 'forged' }
    const shown = await service.readPdf({ invoice: forged }, call('gateway'))
    const qr = await service.readQr({ invoice: forged }, call('gateway'))
    await service.keepFinalArtefacts({ invoice }, call('invoices'))
    const answer = await service.readPdf({ invoice: forged }, call('gateway'))
    expect(answer.sha256).not.toBe(shown.sha256)
    expect(await service.readPdf({ invoice }, call('gateway'))).toEqual(answer)
    expect((await service.readQr({ invoice: forged }, call('gateway'))).sha256).not.toBe(qr.sha256)
  })

  test('a PDF that was read before it is stored has the same bytes as the stored one', async () => {
    const invoice = fresh(sampleInvoice())
    const { sha256 } = await service.readPdf({ invoice }, call('gateway'))
    await service.keepFinalArtefacts({ invoice }, call('invoices'))
    expect((await service.readPdf({ invoice }, call('gateway'))).sha256).toBe(sha256)
  })

  const text = signedXml.toString()
  test.each([
    ['without a signature', { xml: Buffer.from('<Invoice/>') }, /exactly one signature/],
    ['was changed', { xml: Buffer.from(text.replace('30600.00', '10600.00')) }, /was changed/],
    ['another authority vouches for', { xml: strangersXml }, /no trusted authority/],
    ['is of another number', { xml: otherSignedXml }, /number is FA-2026-0002, not FA-2026-0001/],
    ['is of another date', { invoiceDate: '2030-05-03' }, /date is 2026-05-03, not 2030-05-03/],
    ['is of another issuer', { issuerIce: '009999999000099' }, /issuer's ICE is 001234567000089/],
  ])('XML that %s is not kept', async (_, changes, reason) => {
    const before = await archive.count()
    const { id } = fresh(sampleInvoice())
    const stored = service.keepSignedXml(makeKeepRequest(id, changes), call('invoices'))
    await expect(stored).rejects.toThrow(reason)
    expect(await archive.count()).toBe(before)
    await service.keepSignedXml(makeKeepRequest(id), call('invoices'))
  })

  test('works with an older invoices service that does not send number and issuer', async () => {
    const older = { invoiceNumber: undefined, issuerIce: undefined }
    const { id } = fresh(sampleInvoice())
    await service.keepSignedXml(makeKeepRequest(id, older), call('invoices'))
  })
}

describe('permissions in a folder', () => who(onFilesystem))
describeWithOwn('minio', 'who may do what in a bucket', () => who(onS3))

describe('whose signature is trusted', () => {
  let folder: string
  let logged: string
  let opened: Artefacts[]
  const request = () => makeKeepRequest(fresh(sampleInvoice()).id)

  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'artefacts-'))
    ;[logged, opened] = ['', []]
  })
  afterEach(async () => {
    for (const each of opened) await each.close()
    await fs.rm(folder, { recursive: true, force: true })
  })

  async function openWith(file: string | undefined, isOptional = false) {
    const stream = new PassThrough().on('data', (line: Buffer) => (logged += line.toString()))
    const archive = { kind: 'filesystem', directory: folder } as const
    const config = { ...archive, trust: { file, isOptional }, environment: 'live' } as const
    const artefacts = await openArtefacts(config, {
      now: systemClock,
      log: createLog('info', stream),
    })
    opened.push(artefacts)
    return artefacts.handlers
  }
  const trustFile = () => path.join(folder, 'trusted.pem')

  test('a new authority is added beside the old one without a restart', async () => {
    await fs.copyFile(trust.file!, trustFile())
    const service = await openWith(trustFile())
    const stranger = { ...request(), ...makeKeepRequest('other', { xml: strangersXml }) }
    await expect(service.keepSignedXml(stranger, call('invoices'))).rejects.toThrow(/no trusted/)
    await fs.appendFile(trustFile(), await fs.readFile(strangersCertificateFile))
    await service.keepSignedXml(stranger, call('invoices'))
    await service.keepSignedXml(request(), call('invoices'))
  })

  test('waits for a missing file, and stores nothing meanwhile', async () => {
    const service = await openWith(trustFile())
    expect(logged).toMatch(/"level":"warn".*until TRUSTED_CERTIFICATES_FILE can be read/)
    const away = { code: 'SERVICE_UNAVAILABLE', cause: { name: 'SettingsError' } }
    await expect(service.keepSignedXml(request(), call('invoices'))).rejects.toMatchObject(away)
    await fs.writeFile(trustFile(), 'no certificate')
    await expect(service.keepSignedXml(request(), call('invoices'))).rejects.toMatchObject(away)
    await fs.copyFile(trust.file!, trustFile())
    await service.keepSignedXml(request(), call('invoices'))
  })

  test('without any, the signature is verified but not its issuer, which is logged', async () => {
    for (const service of [await openWith(undefined), await openWith(trustFile(), true)]) {
      const xml = strangersXml
      await service.keepSignedXml(
        { ...request(), ...makeKeepRequest('a', { xml }) },
        call('invoices'),
      )
      const changed = Buffer.from(xml.toString().replace('30600.00', '10600.00'))
      const forged = makeKeepRequest('b', { xml: changed })
      await expect(service.keepSignedXml(forged, call('invoices'))).rejects.toThrow(/was changed/)
    }
    expect(logged.match(/TRUSTED_CERTIFICATES_FILE is not set/g)).toHaveLength(2)
  })
})
