/** The paths of downloads: the bytes themselves, or 304 where they are the client's already. */

import type { Reader } from './invoices'
import { invoiceIdParameter } from './invoices'
import {
  callerHeaders,
  operation,
  type OperationObject,
  type Parameter,
  type Paths,
} from './operation'
import { header } from './responses'

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of what one has already.',
  schema: { type: 'string' },
}

interface Download {
  id: string
  summary: string
  description: string
  mediaType: string
}

const downloads: Record<string, Download> = {
  xml: {
    id: 'downloadXml',
    summary: 'The signed UBL 2.1 XML, the legal original; from SIGNED on.',
    description: 'Byte for byte what was signed: keep these bytes, and never a reformatted copy.',
    mediaType: 'application/xml',
  },
  pdf: {
    id: 'downloadPdf',
    summary: 'The PDF, for people; from SIGNED on.',
    description: 'Says so where the invoice awaits clearance; once ACCEPTED it bears the QR code.',
    mediaType: 'application/pdf',
  },
  qr: {
    id: 'downloadQr',
    summary: 'The clearance QR code as PNG; once ACCEPTED.',
    description: 'Leads to where the tax authority tells whether the invoice is cleared.',
    mediaType: 'image/png',
  },
}

export function artefactPaths(reader: Reader): Paths {
  return Object.fromEntries(
    Object.entries(downloads).map(([name, download]) => [
      `${reader.base}/{id}/${name}`,
      { get: readArtefact(download, reader) },
    ]),
  )
}

function readArtefact(
  { id, summary, description, mediaType }: Download,
  { caller, idPrefix }: Reader,
): OperationObject {
  const headers = header('X-Request-Id', 'ETag', 'Content-Disposition', ...callerHeaders(caller))
  return operation({
    id: `${idPrefix}${id}`,
    tag: 'Artefacts',
    summary,
    description,
    caller,
    parameters: [invoiceIdParameter, ifNoneMatch],
    answer: {
      responses: {
        200: {
          description: 'The bytes, kept for ten years.',
          headers,
          content: { [mediaType]: {} },
        },
        304: {
          description: 'What If-None-Match names is what there is.',
          headers,
        },
      },
    },
    refusals: ['INVOICE_NOT_FOUND', 'ARTEFACT_NOT_AVAILABLE'],
  })
}
