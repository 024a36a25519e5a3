import { limits } from '@einvoicing/domain/limits'
import { create as contentDisposition } from 'content-disposition'
import { readJsonText } from '../http/body/read-json'
import { sendBytes } from '../http/envelope'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { creditNoteRoutes } from '../invoices/credit-note'
import { newInvoiceBody } from '../invoices/new-invoice-body'
import { toRequestContent } from '../invoices/newer-fields'
import { readNewInvoice } from '../invoices/read-body'
import { invoiceRoutes, readIssuer, type InvoiceRouteDeps } from '../invoices/routes'
import type { ApiTable } from '../routes/api-route'
import { downloadHeaders, fileName, type ArtefactRouteDeps } from './routes'

type Deps = InvoiceRouteDeps & ArtefactRouteDeps

const preview =
  ({ invoices, artefacts, now }: Deps): Handle =>
  async (request, response) => {
    const text = await readJsonText(request, response, limits.bodyBytes)
    const { content } = readNewInvoice(text, now())
    const draft = { issuer: readIssuer(response), draft: true, ...toRequestContent(content) }
    const invoice = await invoices.previewInvoice(draft, createCall(response))
    const drawn = await artefacts.drawPreview({ invoice }, createCall(response))
    sendBytes(response, {
      status: 200,
      headers: {
        ...downloadHeaders,
        'Cache-Control': 'no-store',
        'Content-Type': 'application/pdf',
        'Content-Disposition': contentDisposition(fileName(invoice, 'pdf'), { type: 'inline' }),
      },
      body: drawn.content,
    })
  }

const previewRoutes: ApiTable<Deps> = {
  '/preview': {
    POST: {
      handle: preview,
      operationId: 'previewInvoice',
      summary: 'Preview the PDF of an invoice without creating it.',
      description:
        'Takes the same body as a creation and checks it in the same way. Nothing is stored and the number stays free; every page is marked as a draft. `draft` is ignored.',
      body: newInvoiceBody,
      answer: {
        mediaType: 'application/pdf',
        description: 'The PDF, which is not stored.',
        headers: ['Content-Disposition'],
      },
    },
  },
}

const { '/': collection = {}, ...ofOne } = invoiceRoutes

/** `preview` first: it would match the paths with an id. */
export const invoiceAndPreviewRoutes: ApiTable<Deps> = {
  '/': collection,
  ...previewRoutes,
  ...ofOne,
  ...creditNoteRoutes,
}
