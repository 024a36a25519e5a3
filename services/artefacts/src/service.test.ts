import { promises as fs } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { systemClock } from '@einvoicing/runtime/clock'
import { metrics } from '@einvoicing/runtime/metrics'
import type { Call } from '@einvoicing/rpc/call'
import { InvoiceStatus, type Invoice } from '@einvoicing/proto/invoice'
import { artefactKey, toStoredObject } from './artefact'
import { readArtefactsConfig } from './config'
import { openFilesystemObjects } from './objects/filesystem/filesystem-objects'
import { awaitingInvoice, sampleInvoice } from './testdata/invoices'
import { sha256Hex } from './objects/digest'
import { openArtefacts, type Artefacts } from './service'
import { makeKeepRequest, otherSignedXml, signedXml, trust } from './testdata/signed-xml'

const organizationId = sampleInvoice().organizationId
let dataDir: string
let service: Artefacts
const lines: string[] = []
const log = createLog('error', { write: (line: string) => void lines.push(line) })

beforeAll(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'artefacts-'))
  const config = { ...readArtefactsConfig(new EnvReader({}), dataDir), trust }
  service = await openArtefacts(config, { now: systemClock, log })
})

afterAll(async () => {
  await service.close()
  await fs.rm(dataDir, { recursive: true, force: true })
})

function call(organization = organizationId): Call {
  const caller = { service: 'gateway', organizationId: organization, actor: 'test' } as const
  return { caller, requestId: 'test', deadline: Date.now() + 20_000 }
}

let invoices = 0
/** A fresh id each time, so that no test finds what another kept. */
function fresh(invoice: Invoice): Invoice {
  invoices += 1
  return { ...invoice, id: `00000000-0000-4000-8000-${String(invoices).padStart(12, '0')}` }
}

const rejected = {
  status: InvoiceStatus.REJECTED,
  dgiErrorCode: 'INVALID_BUYER_ICE',
  dgiErrorMessage: 'ICE inconnu',
  dgiRejectedAt: '2026-05-03T14:33:00Z',
}

async function listFiles(invoice: Invoice): Promise<string[]> {
  const files = await fs.readdir(path.join(dataDir, 'artefacts'), { recursive: true })
  const names = files.filter((file) => file.includes(invoice.id)).map((file) => path.basename(file))
  return [...new Set(names)].filter((name) => /\.(xml|pdf|png)$/.test(name)).sort()
}

describe('the signed XML', () => {
  const store = (invoiceId: string, changes: object = {}) =>
    service.handlers.keepSignedXml(makeKeepRequest(invoiceId, changes), call())

  it('is stored unchanged; storing it twice is the same', async () => {
    const { id } = fresh(sampleInvoice())
    await store(id)
    await store(id)
    const stored = await service.handlers.readKeptXml({ invoiceId: id }, call())
    expect(stored).toEqual({
      content: signedXml,
      mediaType: 'application/xml',
      sha256: sha256Hex(signedXml),
    })
  })

  it('is never replaced: other bytes are a defect', async () => {
    const { id } = fresh(sampleInvoice())
    await store(id)
    const other = { xml: otherSignedXml, invoiceNumber: 'FA-2026-0002' }
    await expect(store(id, other)).rejects.toThrow(/other bytes/)
    const { content } = await service.handlers.readKeptXml({ invoiceId: id }, call())
    expect(content).toEqual(signedXml)
  })

  it('is refused when its SHA-256 is not the one given', async () => {
    const { id } = fresh(sampleInvoice())
    await expect(store(id, { sha256: sha256Hex(Buffer.from('x')) })).rejects.toThrow(/SHA-256/)
    await expect(service.handlers.readKeptXml({ invoiceId: id }, call())).rejects.toMatchObject({
      code: 'ARTEFACT_NOT_AVAILABLE',
    })
  })

  it('is not seen by another organization', async () => {
    const { id } = fresh(sampleInvoice())
    await store(id)
    await expect(
      service.handlers.readKeptXml({ invoiceId: id }, call('another-organization')),
    ).rejects.toMatchObject({ code: 'ARTEFACT_NOT_AVAILABLE' })
  })
})

describe('final artefacts', () => {
  it('an accepted invoice has PDF and QR code, which never change', async () => {
    const invoice = fresh(sampleInvoice())
    await service.handlers.keepFinalArtefacts({ invoice }, call())
    expect(await listFiles(invoice)).toEqual(['invoice.pdf', 'qr.png'])
    const first = await service.handlers.readPdf({ invoice }, call())
    await service.handlers.keepFinalArtefacts({ invoice }, call())
    // A later version of this service may draw another way; what is kept does not change.
    const changed = { ...invoice, invoiceNumber: 'drawn otherwise' }
    await service.handlers.keepFinalArtefacts({ invoice: changed }, call())
    expect(await service.handlers.readPdf({ invoice: changed }, call())).toEqual(first)
    expect(first.sha256).toBe(sha256Hex(first.content))
  })

  it('what others put in their place is logged and counted, and nothing of it is replaced', async () => {
    const invoice = fresh(sampleInvoice())
    const { id } = invoice
    const other = fresh(sampleInvoice({ invoiceNumber: 'FA-2026-0099' }))
    const { content } = await service.handlers.readPdf({ invoice: other }, call())
    const objects = await openFilesystemObjects(path.join(dataDir, 'artefacts'), systemClock)
    await objects.put(artefactKey(organizationId, id, 'pdf'), toStoredObject('pdf', content, other))
    await objects.close()
    lines.length = 0
    await service.handlers.keepFinalArtefacts({ invoice }, call())
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/"level":"error".*invoice\.pdf is not the document that was drawn/)
    expect(await metrics.metrics()).toMatch(
      /^einvoicing_foreign_artefacts_total\{artefact="pdf"\} [1-9]/m,
    )
    expect(await listFiles(invoice)).toEqual(['invoice.pdf', 'qr.png'])
  })

  it('a rejected invoice has the PDF only', async () => {
    const invoice = fresh(awaitingInvoice(rejected))
    await service.handlers.keepFinalArtefacts({ invoice }, call())
    expect(await listFiles(invoice)).toEqual(['invoice.pdf'])
  })

  it.each(['PENDING', 'SIGNED', 'TRANSMITTED', 'FAILED', 'CANCELLED'] as const)(
    'do not exist of a %s one',
    async (status) => {
      const invoice = fresh(awaitingInvoice({ status }))
      await expect(service.handlers.keepFinalArtefacts({ invoice }, call())).rejects.toThrow(
        /not final/,
      )
      expect(await listFiles(invoice)).toEqual([])
    },
  )
})

describe('the PDF', () => {
  it.each(['SIGNED', 'TRANSMITTED', 'FAILED'] as const)(
    'is drawn of a %s invoice and not kept',
    async (status) => {
      const invoice = fresh(awaitingInvoice({ status }))
      const pdf = await service.handlers.readPdf({ invoice }, call())
      expect(pdf.mediaType).toBe('application/pdf')
      expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-')
      expect(await listFiles(invoice)).toEqual([])
      expect((await service.handlers.readPdf({ invoice }, call())).sha256).toBe(pdf.sha256)
    },
  )

  it('a final invoice is drawn on request until its PDF is stored', async () => {
    for (const invoice of [fresh(sampleInvoice()), fresh(awaitingInvoice(rejected))]) {
      await service.handlers.readPdf({ invoice }, call())
      expect(await listFiles(invoice)).toEqual([])
    }
  })

  it.each(['PENDING', 'CANCELLED'] as const)('does not exist of a %s invoice', async (status) => {
    const invoice = fresh(awaitingInvoice({ status }))
    await expect(service.handlers.readPdf({ invoice }, call())).rejects.toMatchObject({
      code: 'ARTEFACT_NOT_AVAILABLE',
      message: expect.stringMatching(/has no PDF/),
    })
  })

  it('a draft is drawn as a preview only, which is not stored', async () => {
    const { handlers } = service
    const draft = fresh(awaitingInvoice({ status: 'PENDING' }))
    const { content } = await handlers.drawPreview({ invoice: draft }, call())
    expect(content.subarray(0, 5).toString()).toBe('%PDF-')
    expect(await listFiles(draft)).toEqual([])
    for (const invoice of [fresh(sampleInvoice()), fresh(awaitingInvoice())]) {
      await expect(handlers.drawPreview({ invoice }, call())).rejects.toThrow(/which is/)
    }
    await expect(handlers.drawPreview({ invoice: draft }, call('stranger'))).rejects.toThrow(
      /another organization/,
    )
  })

  it('another organization’s invoice is never drawn', async () => {
    const invoice = fresh(sampleInvoice())
    await expect(service.handlers.readPdf({ invoice }, call('stranger'))).rejects.toThrow(
      /another organization/,
    )
  })
})

describe('the signed XML in a PDF', () => {
  const signed = () => fresh(sampleInvoice({ xmlSha256: sha256Hex(signedXml) }))
  const hasOriginal = ({ content }: { content: Buffer }) => content.includes('/EmbeddedFile')

  it('is in the request or read from the archive, and gives the same PDF', async () => {
    const { handlers } = service
    const invoice = signed()
    const sent = await handlers.readPdf({ invoice, signedXml }, call())
    expect(hasOriginal(sent)).toBe(true)
    await handlers.keepSignedXml(makeKeepRequest(invoice.id), call())
    expect(await handlers.readPdf({ invoice }, call())).toEqual(sent)
    await handlers.keepFinalArtefacts({ invoice }, call())
    expect(await handlers.readPdf({ invoice }, call())).toEqual(sent)
  })

  it('is awaited before the PDF is stored, not before it is read', async () => {
    const invoice = signed()
    const keep = service.handlers.keepFinalArtefacts({ invoice }, call())
    await expect(keep).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await listFiles(invoice)).toEqual([])
    expect(hasOriginal(await service.handlers.readPdf({ invoice }, call()))).toBe(false)
  })

  it('is the invoice’s, or absent', async () => {
    const request = { invoice: signed(), signedXml: otherSignedXml }
    await expect(service.handlers.readPdf(request, call())).rejects.toThrow(/SHA-256/)
    await expect(service.handlers.keepFinalArtefacts(request, call())).rejects.toThrow(/SHA-256/)
  })
})

describe('the QR code', () => {
  it('is a PNG once accepted, the same before and after it is stored', async () => {
    const invoice = fresh(sampleInvoice())
    const qr = await service.handlers.readQr({ invoice }, call())
    expect(qr.mediaType).toBe('image/png')
    expect(qr.content.subarray(1, 4).toString()).toBe('PNG')
    expect(await listFiles(invoice)).toEqual([])
    await service.handlers.keepFinalArtefacts({ invoice }, call())
    expect(await service.handlers.readQr({ invoice }, call())).toEqual(qr)
  })

  it.each(['PENDING', 'SIGNED', 'TRANSMITTED', 'REJECTED', 'FAILED', 'CANCELLED'] as const)(
    'does not exist of a %s invoice',
    async (status) => {
      const invoice = fresh(sampleInvoice({ status }))
      await expect(service.handlers.readQr({ invoice }, call())).rejects.toMatchObject({
        code: 'ARTEFACT_NOT_AVAILABLE',
        message: expect.stringMatching(/has no QR code/),
      })
    },
  )
})

it('reports that it can store documents', async () => {
  await expect(service.handlers.checkArtefacts({}, call())).resolves.toEqual({
    dependencies: [{ name: 'filesystem', essential: true, problem: '' }],
  })
})

it('returns Retry-After when the caller would not wait', async () => {
  const invoice = fresh(awaitingInvoice())
  const late = { ...call(), deadline: Date.now() - 1 }
  await expect(service.handlers.readPdf({ invoice }, late)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
})
