/** `/v1/invoices` by one API key, and an invoice that is valid until a test makes it otherwise. */

import { eventually } from '@einvoicing/servers/eventually'
import {
  requestJson,
  send,
  untilDrawn,
  type Answer,
  type Download,
  type RequestOptions,
} from './http'

export interface LineBody {
  lineNumber: number
  description: string
  quantity: number
  unitPrice: number
  vatRate: number
  unit?: string
  vatExemptionReason?: string
}

export interface InvoiceBody {
  invoiceNumber: string
  invoiceDate: string
  currency: string
  paymentMethod: string
  lines: LineBody[]
  buyerIce?: string
  buyerName?: string
  buyerAddress?: string
  dueDate?: string
  draft?: boolean
}

export interface Page<Item = any> {
  content: Item[]
  page: number
  size: number
  totalElements: number
  totalPages: number
  first: boolean
  last: boolean
}

export const finalStatuses = ['ACCEPTED', 'REJECTED', 'FAILED']

let made = 0

/** Never the same twice, in whatever process. */
export function newNumber(prefix = 'F'): string {
  made += 1
  return `${prefix}-${process.pid}-${Date.now().toString(36)}-${made}`
}

export function aLine(changes: Partial<LineBody> = {}): LineBody {
  return {
    lineNumber: 1,
    description: 'Conseil',
    quantity: 2,
    unitPrice: 450.5,
    vatRate: 20,
    ...changes,
  }
}

export function anInvoice(changes: Partial<InvoiceBody> = {}): InvoiceBody {
  return {
    invoiceNumber: newNumber(),
    invoiceDate: '2026-01-31',
    currency: 'MAD',
    paymentMethod: 'BANK_TRANSFER',
    lines: [aLine()],
    ...changes,
  }
}

function toQuery(parameters: Record<string, string | number>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

export class Invoices {
  readonly url: string
  readonly key: string

  constructor(baseUrl: string, key: string) {
    this.url = `${baseUrl}/v1/invoices`
    this.key = key
  }

  create(body: unknown, options: RequestOptions = {}): Promise<Answer<any>> {
    return requestJson('POST', this.url, { key: this.key, body, ...options })
  }

  /** Creates what must be created; answers the invoice. */
  async created(changes: Partial<InvoiceBody> = {}): Promise<any> {
    const answer = await this.create(anInvoice(changes))
    if (answer.status !== 201) {
      throw new Error(`${answer.code} ${answer.message} ${JSON.stringify(answer.errors)}`)
    }
    return answer.data
  }

  list(query: Record<string, string | number> | string = ''): Promise<Answer<Page>> {
    const text = typeof query === 'string' ? query : toQuery(query)
    return requestJson('GET', `${this.url}${text && `?${text}`}`, { key: this.key })
  }

  read(id: string): Promise<Answer<any>> {
    return this.at(id, 'GET')
  }

  status(id: string): Promise<Answer<any>> {
    return this.at(`${id}/status`, 'GET')
  }

  change(id: string, body: unknown): Promise<Answer<any>> {
    return this.at(id, 'PUT', body)
  }

  creditNote(id: string, body: unknown): Promise<Answer<any>> {
    return this.at(`${id}/credit-note`, 'POST', body)
  }

  cancel(id: string): Promise<Answer<any>> {
    return this.at(id, 'DELETE')
  }

  sign(id: string): Promise<Answer<any>> {
    return this.at(`${id}/sign`, 'POST')
  }

  resubmit(id: string): Promise<Answer<any>> {
    return this.at(`${id}/resubmit`, 'POST')
  }

  at(path: string, method: string, body?: unknown): Promise<Answer<any>> {
    return requestJson(method, `${this.url}/${path}`, {
      key: this.key,
      ...(body !== undefined && { body }),
    })
  }

  artefact(
    id: string,
    kind: 'pdf' | 'xml' | 'qr',
    headers: Record<string, string> = {},
  ): Promise<Download> {
    const get = () => send('GET', `${this.url}/${id}/${kind}`, { key: this.key, headers })
    return kind === 'pdf' ? untilDrawn(get) : get()
  }

  /** Bytes that must be there. */
  async bytes(id: string, kind: 'pdf' | 'xml' | 'qr'): Promise<Buffer> {
    const { status, bytes } = await this.artefact(id, kind)
    if (status !== 200) throw new Error(`${kind} of ${id}: ${status} ${bytes.toString()}`)
    return bytes
  }

  /** Where giving up comes soon, a slow machine may be late: sends again until it is accepted. */
  accepted(id: string, withinMs = 60_000): Promise<any> {
    return eventually(async () => {
      const { data } = await this.read(id)
      if (data.status === 'FAILED') await this.resubmit(id)
      if (data.status !== 'ACCEPTED') throw new Error(`${id} is ${data.status}`)
      return data
    }, withinMs)
  }

  /** Polls until a final status; answers the whole invoice. */
  async decided(id: string, withinMs = 60_000): Promise<any> {
    await eventually(async () => {
      const { data } = await this.status(id)
      if (!finalStatuses.includes(data.status)) throw new Error(`${id} is still ${data.status}`)
    }, withinMs)
    return (await this.read(id)).data
  }
}
