import { PassThrough } from 'node:stream'
import { ApiError } from '@einvoicing/domain/api-error'
import { Invoice, InvoiceContent } from '@einvoicing/proto/invoice'
import {
  InvoicesService,
  SignedXml,
  type CreateInvoiceRequest,
  type ReadSignedXmlRequest,
} from '@einvoicing/proto/invoices'
import { createLog } from '@einvoicing/runtime/log'
import type { Call, Contract, Service } from '../../call'
import type { Caller } from '../../caller'
import type { CallerSecrets } from '../../caller-secrets'
import { serveRpc } from '../../server'

export const callerSecrets: CallerSecrets = { shared: ['a secret that all services share'] }

/** What the test of this file has opened. */
export const opened: { close(): Promise<void> | void }[] = []

export async function closeOpened(): Promise<void> {
  for (const part of opened.splice(0).reverse()) await part.close()
}

export const caller: Caller = {
  service: 'gateway',
  organizationId: 'org-1',
  actor: 'api-key:key-1',
}

export function requestWith(invoiceNumber: string): CreateInvoiceRequest {
  const content = { ...InvoiceContent.decode(new Uint8Array()), invoiceNumber }
  return { issuer: undefined, content, draft: false }
}

export function readNumber({ content }: CreateInvoiceRequest): string {
  return content?.invoiceNumber ?? ''
}

async function readCaller(_: ReadSignedXmlRequest, { caller }: Call): Promise<SignedXml> {
  return { ...SignedXml.decode(new Uint8Array()), sha256: caller.service }
}

/** Answers with the number as the id, once `answer` is called for it; others at once. */
export class Invoices {
  readonly calls: (Call & { invoiceNumber: string })[] = []
  readonly held = new Set<string>()
  private readonly answers = new Map<string, () => void>()

  answer(invoiceNumber: string): void {
    this.answers.get(invoiceNumber)?.()
  }

  async serve(secrets = callerSecrets): Promise<string> {
    const handlers = { createInvoice: this.create, readSignedXml: readCaller }
    const served = handlers as unknown as Service<Contract>
    const log = createLog('info', new PassThrough())
    const address = '127.0.0.1:0'
    const options = { name: 'invoices', address, callerSecrets: secrets, log } as const
    const server = await serveRpc(InvoicesService as Contract, served, options)
    opened.push(server)
    return `127.0.0.1:${server.port}`
  }

  private readonly create = async (request: CreateInvoiceRequest, call: Call): Promise<Invoice> => {
    const invoiceNumber = readNumber(request)
    this.calls.push({ ...call, invoiceNumber })
    if (this.held.has(invoiceNumber)) {
      await new Promise<void>((resolve) => this.answers.set(invoiceNumber, resolve))
    }
    if (invoiceNumber === 'wrong') {
      const fieldErrors = Array.from({ length: 500 }, (_, at) => {
        return { field: `lines[${at}].quantity`, code: 'REQUIRED', message: 'Give a quantity.' }
      })
      throw new ApiError('VALIDATION_ERROR', 'Correct it.', { fieldErrors })
    }
    if (invoiceNumber === 'later')
      throw new ApiError('SERVICE_UNAVAILABLE', 'Later.', { retryAfterSeconds: 7 })
    if (invoiceNumber === 'defect') throw new Error('a secret of the program')
    const buyerName = 'x'.repeat(invoiceNumber.startsWith('large') ? 3 * 1024 * 1024 : 1)
    const lines = invoiceNumber === 'unwritable' ? (7 as never) : []
    return { ...Invoice.decode(new Uint8Array()), id: invoiceNumber, buyerName, lines }
  }
}
