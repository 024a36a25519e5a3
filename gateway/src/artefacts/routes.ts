import { unavailable } from '@einvoicing/domain/api-error'
import { nameLevel, signatureLevels, type SignatureLevel } from '@einvoicing/domain/signature-level'
import type { Call, Service } from '@einvoicing/rpc/call'
import type { ArtefactsService } from '@einvoicing/proto/artefacts'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import { create as contentDisposition } from 'content-disposition'
import type { Request, Response } from 'express'
import { readQuery, type QueryRules } from '../fields/read-query'
import { annotateRule, oneOf } from '../fields/rules'
import { sendBytes } from '../http/envelope'
import { toEtag, matchesIfNoneMatch } from '../http/etag'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { invoiceIdParameter, readInvoiceId } from '../invoices/invoice-id'
import type { ApiTable, Parameter, RawAnswer } from '../routes/api-route'

export interface ArtefactRouteDeps {
  invoices: Service<InvoicesService>
  artefacts: Service<ArtefactsService>
}

interface Download {
  content: Buffer
  sha256: string
  mediaType: 'application/xml' | 'application/pdf' | 'image/png'
  disposition: string
}

const xmlRules: QueryRules = {
  level: annotateRule(oneOf(signatureLevels.slice(1)), {
    description:
      'The original with evidence added to its signature (XAdES), at the highest level available and at least this one. 409 ARTEFACT_NOT_AVAILABLE until that level is available.',
  }),
}

/** Other parameters were always ignored here. */
function readLevel(url: string): SignatureLevel | undefined {
  const given = new URLSearchParams(url.split('?')[1]).getAll('level')
  if (given.length === 0) return undefined
  const query = given.map((level) => `level=${encodeURIComponent(level)}`).join('&')
  return readQuery(`?${query}`, xmlRules)['level'] as SignatureLevel
}

const readXml =
  ({ invoices }: ArtefactRouteDeps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const level = readLevel(request.url)
    const call = createCall(response)
    const [invoice, signed] = await Promise.all([
      invoices.getInvoice({ invoiceId }, call),
      invoices.readSignedXml({ invoiceId, toSubmit: false, level }, call),
    ])
    const { xml, sha256 } = signed
    // An older version does not know the level and answers the original.
    if (level && signed.level === undefined) throw unavailable('The signature with evidence')
    response.setHeader('X-Signature-Level', signed.level ?? nameLevel('B'))
    sendDownload(request, response, {
      content: xml,
      sha256,
      mediaType: 'application/xml',
      disposition: contentDisposition(fileName(invoice, 'xml'), { type: 'attachment' }),
    })
  }

const readPdf =
  ({ invoices, artefacts }: ArtefactRouteDeps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const call = createCall(response)
    const invoice = await invoices.getInvoice({ invoiceId }, call)
    const signedXml = await readUnarchivedXml(invoices, invoice, call)
    sendDownload(request, response, {
      ...(await artefacts.readPdf({ invoice, signedXml }, call)),
      mediaType: 'application/pdf',
      disposition: contentDisposition(fileName(invoice, 'pdf'), { type: 'inline' }),
    })
  }

/** For the PDF, which embeds it; archived XML is read there. */
export async function readUnarchivedXml(
  invoices: Service<InvoicesService>,
  { id: invoiceId, xmlSha256 }: Invoice,
  call: Call,
): Promise<Buffer | undefined> {
  if (xmlSha256 === undefined) return undefined
  const request = { invoiceId, toSubmit: false, unlessArchived: true }
  const { xml } = await invoices.readSignedXml(request, call)
  return xml.length > 0 ? xml : undefined
}

const readQr =
  ({ invoices, artefacts }: ArtefactRouteDeps): Handle =>
  async (request, response) => {
    const invoiceId = readInvoiceId(request, response)
    const invoice = await invoices.getInvoice({ invoiceId }, createCall(response))
    sendDownload(request, response, {
      ...(await artefacts.readQr({ invoice }, createCall(response))),
      mediaType: 'image/png',
      disposition: contentDisposition(fileName(invoice, 'png'), { type: 'inline' }),
    })
  }

export const downloadHeaders = {
  // A browser shows a PDF in an object element, which the policy for pages forbids.
  'Content-Security-Policy': "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
} as const

function sendDownload(request: Request, response: Response, download: Download): void {
  const etag = toEtag(download.sha256)
  const headers = {
    ETag: etag,
    // The browser may cache it, shared caches may not.
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': download.disposition,
    ...downloadHeaders,
  }
  if (matchesIfNoneMatch(etag, request.headers['if-none-match'])) {
    response.writeHead(304, headers).end()
  } else {
    sendBytes(response, {
      status: 200,
      headers: { ...headers, 'Content-Type': download.mediaType },
      body: download.content,
    })
  }
}

// Path separators and characters that some systems forbid in file names become a dash.
const unfitForNames = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|%]/gu

export function fileName(
  { invoiceNumber }: Pick<Invoice, 'invoiceNumber'>,
  extension: string,
): string {
  const name = invoiceNumber.replace(unfitForNames, '-').replace(/^[.\s]+|[.\s]+$/g, '')
  return `${name || 'invoice'}.${extension}`
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of the copy you already have.',
  schema: { type: 'string' },
}

const parameters = [invoiceIdParameter, ifNoneMatch]
const errors = ['INVOICE_NOT_FOUND', 'ARTEFACT_NOT_AVAILABLE'] as const

function toAnswer(mediaType: Download['mediaType'], more: RawAnswer['headers'] = []): RawAnswer {
  return {
    mediaType,
    description: 'The file, stored for ten years.',
    headers: ['ETag', 'Content-Disposition', ...more],
    notModified: 'The copy that If-None-Match names is current.',
  }
}

export const artefactRoutes: ApiTable<ArtefactRouteDeps> = {
  '/:id/xml': {
    GET: {
      handle: readXml,
      operationId: 'downloadXml',
      summary: 'Download the signed UBL 2.1 XML, the legal original; from SIGNED on.',
      description: 'Exactly the bytes that were signed: store them, never a reformatted copy.',
      parameters,
      query: xmlRules,
      answer: toAnswer('application/xml', ['X-Signature-Level']),
      errors,
    },
  },
  '/:id/pdf': {
    GET: {
      handle: readPdf,
      operationId: 'downloadPdf',
      summary: 'Download the PDF, the readable copy; from SIGNED on.',
      description:
        'The PDF is marked while the invoice awaits clearance; once ACCEPTED it shows the QR code. PDF/A-3a and PDF/UA-1: it embeds the signed XML, and prints its SHA-256.',
      parameters,
      answer: toAnswer('application/pdf'),
      errors,
    },
  },
  '/:id/qr': {
    GET: {
      handle: readQr,
      operationId: 'downloadQr',
      summary: 'Download the clearance QR code as PNG; once ACCEPTED.',
      description:
        'The QR code leads to the page of the tax authority that confirms the clearance.',
      parameters,
      answer: toAnswer('image/png'),
      errors,
    },
  },
}
