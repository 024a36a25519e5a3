/**
 * The services around invoices, as a test can switch them off, and what one asks of invoices.
 */

import { eventually } from '@einvoicing/servers/eventually'
import { createHash, randomUUID } from 'node:crypto'
import { unavailable } from '@einvoicing/domain/api-error'
import { toMaskPath, type InvoiceField } from '@einvoicing/domain/invoice-fields'
import { readKind } from '@einvoicing/profile/document-kinds'
import type { Call, Service } from '@einvoicing/rpc/call'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { InvoiceContent, LegalMentions } from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import type { SignerService } from '@einvoicing/proto/signer'

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function neighbours() {
  const stored = new Map<string, Buffer>()
  const final: string[] = []
  const away = { signer: false, archive: false }
  let signatures = 0
  const signer = {
    async signDocument({ invoice }) {
      if (away.signer) throw unavailable('The signer')
      signatures += 1
      const { root, typeCode } = readKind(invoice ?? {})
      const code = `<cbc:TypeCode>${typeCode}</cbc:TypeCode>`
      const xml = Buffer.from(`<${root} >${code}${JSON.stringify(invoice)}</${root}>`)
      return { xml, sha256: sha256(xml), signedAt: new Date().toISOString() }
    },
    getCertificate: async () => ({ notAfter: '2030-01-01T00:00:00.000Z' }),
    checkSigner: async () => ({ dependencies: [] }),
  } satisfies Service<SignerService>
  const artefacts = {
    async keepSignedXml({ invoiceId, xml }) {
      if (away.archive) throw unavailable('The archive')
      stored.set(invoiceId, xml)
      return {}
    },
    async keepFinalArtefacts({ invoice }) {
      if (away.archive) throw unavailable('The archive')
      final.push(invoice?.id ?? '')
      return {}
    },
    async readKeptXml({ invoiceId }) {
      const content = stored.get(invoiceId)
      if (!content) throw new Error('not kept')
      return { content, mediaType: 'application/xml', sha256: sha256(content) }
    },
    listKeptXml: () => Promise.reject(new Error('not asked for here')),
    readPdf: () => Promise.reject(new Error('not asked for here')),
    drawPreview: () => Promise.reject(new Error('not asked for here')),
    readTrust: () => Promise.reject(new Error('not asked for here')),
    readQr: () => Promise.reject(new Error('not asked for here')),
    keepAuditCheckpoint: () => Promise.resolve({}),
    timeStampDigest: () => Promise.reject(new Error('not asked for here')),
    timeStampSignature: async () => ({}),
    addEvidence: async () => ({}),
    readEvidence: () => Promise.reject(new Error('not asked for here')),
    checkArtefacts: async () => ({
      dependencies: [
        { name: 's3', essential: true, problem: away.archive ? 'is not available' : '' },
      ],
    }),
  } satisfies Service<ArtefactsService>
  return { signer, artefacts, kept: stored, final, away, signatures: () => signatures }
}

export const mentions = { name: 'Atlas SARL', ice: '001234567000089' } as LegalMentions
export const issuer = { mentions, missing: [] }

export const content = (fields: Partial<InvoiceContent> = {}): InvoiceContent => ({
  invoiceNumber: `F-${randomUUID()}`,
  invoiceDate: '2026-05-03',
  currency: 'MAD',
  paymentMethod: 'CASH',
  lines: [
    {
      lineNumber: 1,
      description: 'a',
      quantity: '3',
      unitPrice: '0.335',
      vatRate: 20,
    },
  ],
  ...fields,
})

type Changes = { [Name in InvoiceField]?: InvoiceContent[Name] | undefined }

/** A field that is `undefined` is cleared. */
export const update = (invoiceId: string, changes: Changes = {}): UpdateInvoiceRequest => ({
  invoiceId,
  issuer,
  content: content(changes as Partial<InvoiceContent>),
  updateMask: (Object.keys(changes) as InvoiceField[]).map(toMaskPath),
  ...noFormerChanges,
})

/** Of a gateway that sends an update mask alone. */
export const noFormerChanges = { lines: [], cleared: [] }

export const call = (organizationId = 'org-1'): Call => ({
  caller: { service: 'gateway', organizationId, actor: 'api-key:1' },
  requestId: 'r',
  deadline: Date.now() + 20_000,
})

export const untilHolds = <T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
): Promise<T> =>
  eventually(
    async () => {
      const value = await read()
      if (!holds(value)) throw new Error(`never came to hold: ${JSON.stringify(value)}`)
      return value
    },
    45_000,
    10,
  )
