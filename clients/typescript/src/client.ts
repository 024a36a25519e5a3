/**
 * The invoices of one organization, by its API key: created once whatever the network does, waited
 * for until the tax authority has spoken, listed, changed while they are drafts, and downloaded.
 *
 * Every call is bounded in time and throws `EinvoicingError`; reads are repeated where that may
 * help, changes only after asking what became of them.
 */

import {
  readArtefact,
  saveArtefact,
  type Artefact,
  type ArtefactKind,
  type SavedArtefact,
} from './artefact'
import {
  Connection,
  type ConnectionSettings,
  type Limits,
  type Reader,
  type Request,
} from './connection'
import { EinvoicingError } from './errors'
import { invoiceJson } from './invoice-json'
import { walkPages } from './pages'
import { withPatience, type Patience } from './patience'
import { findDifferences, findAllDifferences } from './same-invoice'
import type {
  CreatedInvoice,
  Invoice,
  InvoiceChanges,
  InvoicePage,
  InvoiceStatus,
  ListQuery,
  ListedInvoice,
  NewInvoice,
} from './schemas'
import { settle, type Change } from './settled'
import { pollUntilFinal, type FinalStatus } from './until-final'

export { EinvoicingError, type ErrorCode } from './errors'
export type { Artefact, ArtefactKind, SavedArtefact } from './artefact'
export type * from './schemas'
export type { FinalStatus } from './until-final'

export interface ClientSettings extends ConnectionSettings {
  /** For one request and the whole of its answer; 30 seconds unless said. */
  timeoutMs?: number
  /** For one call with all its tries and pauses; 2 minutes unless said. */
  deadlineMs?: number
  /** How often one call may fail before it gives up; 4 unless said. 429 is not counted. */
  attempts?: number
  /** Ends every call that has no signal of its own. */
  signal?: AbortSignal | undefined
  /** Told before each pause between two tries, with what made it necessary. */
  onPause?: Patience['onPause']
}

export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  deadlineMs?: number | undefined
}

export interface CreateOptions extends CallOptions {
  /**
   * Where the number is taken already by an invoice of the same content, answer that one instead of
   * throwing INVOICE_NUMBER_EXISTS: for who may have created it before a crash of his own.
   */
  acceptExisting?: boolean
}

export interface UpdateOptions extends CallOptions {
  /** `updatedAt` of the draft as it was read: throws INVOICE_CHANGED where it is another by now. */
  ifUpdatedAt?: string | undefined
}

export interface WaitOptions extends CallOptions {
  /** Told of each status that is new. */
  onStatus?: ((status: InvoiceStatus) => void) | undefined
}

const defaults = { timeoutMs: 30_000, deadlineMs: 120_000, attempts: 4 }
const waitDeadlineMs = 600_000

export class EinvoicingClient {
  readonly #connection: Connection
  readonly #settings: typeof defaults & Pick<ClientSettings, 'signal' | 'onPause'>

  /** Throws `TypeError` for an address or a key that can be none. */
  constructor(settings: ClientSettings) {
    this.#connection = new Connection(settings)
    const { timeoutMs, deadlineMs, attempts, signal, onPause } = { ...defaults, ...settings }
    this.#settings = { timeoutMs, deadlineMs, attempts, signal, onPause }
  }

  /**
   * Created once: an answer that was lost is looked for by the invoice's number, and compared,
   * before anything is sent again. JSON text is sent as it is.
   */
  async createInvoice(
    invoice: NewInvoice | string,
    options: CreateOptions = {},
  ): Promise<CreatedInvoice> {
    const body = invoiceJson(invoice)
    const { limits, patience } = this.#bounds(options)
    const change: Change<CreatedInvoice> = {
      send: () => this.#ask({ method: 'POST', path: '', body }, limits()),
      find: () => this.#findSame(body, limits),
      echo: 'INVOICE_NUMBER_EXISTS',
      takesExisting: options.acceptExisting ?? false,
      question: 'whether the invoice was created',
    }
    return settle(change, patience)
  }

  async get(id: string, options?: CallOptions): Promise<Invoice> {
    return this.#read({ method: 'GET', path: pathOf(id) }, options)
  }

  /** The invoice of that number, with its lines; `undefined` where there is none. */
  async find(invoiceNumber: string, options?: CallOptions): Promise<Invoice | undefined> {
    const { limits, patience } = this.#bounds(options)
    return withPatience(patience, () => this.#findByNumber(invoiceNumber, limits))
  }

  /** How clearance is doing; lighter than the invoice. */
  async status(id: string, options?: CallOptions): Promise<InvoiceStatus> {
    return this.#read({ method: 'GET', path: pathOf(id, 'status') }, options)
  }

  /**
   * Asks again and again, ever less often, until ACCEPTED, REJECTED or FAILED; 10 minutes unless
   * `deadlineMs` says otherwise. Throws NOT_FINAL then, and NOT_SUBMITTED for a draft.
   */
  async waitUntilFinal(id: string, options: WaitOptions = {}): Promise<FinalStatus> {
    const { onStatus, deadlineMs = waitDeadlineMs } = options
    const { limits, patience } = this.#bounds({ ...options, deadlineMs })
    const read = () =>
      this.#ask<InvoiceStatus>({ method: 'GET', path: pathOf(id, 'status') }, limits())
    return pollUntilFinal(read, { ...patience, onStatus })
  }

  /**
   * Every invoice of the query, asked for page by page as they are taken. What comes or goes
   * meanwhile never makes one appear twice.
   */
  list(query: ListQuery = {}, options?: CallOptions): AsyncGenerator<ListedInvoice, void, void> {
    return walkPages((page) => this.listPage({ size: 100, ...query, page }, options), query.page)
  }

  listPage(query: ListQuery = {}, options?: CallOptions): Promise<InvoicePage> {
    return this.#read({ method: 'GET', path: '', query }, options)
  }

  /** Of a draft: only what is given changes. JSON text is sent as it is. */
  async update(
    id: string,
    changes: InvoiceChanges | string,
    { ifUpdatedAt: ifMatch, ...options }: UpdateOptions = {},
  ): Promise<Invoice> {
    const body = invoiceJson(changes)
    return this.#change({ method: 'PUT', path: pathOf(id), body, ifMatch }, options, {
      isDone: (invoice) => findDifferences(body, invoice).length === 0,
      question: 'whether the invoice was changed',
    })
  }

  /** Of a draft; its number stays used. */
  async cancel(id: string, options: CallOptions = {}): Promise<Invoice> {
    return this.#change({ method: 'DELETE', path: pathOf(id) }, options, {
      isDone: ({ status }) => status === 'CANCELLED',
      question: 'whether the invoice was cancelled',
    })
  }

  /** Of a draft; clearance begins. */
  async sign(id: string, options: CallOptions = {}): Promise<Invoice> {
    return this.#change({ method: 'POST', path: pathOf(id, 'sign') }, options, {
      isDone: ({ status }) => status !== 'PENDING' && status !== 'CANCELLED',
      question: 'whether the invoice was signed',
    })
  }

  /** Sends a FAILED invoice to the tax authority again. */
  async resubmit(id: string, options: CallOptions = {}): Promise<Invoice> {
    return this.#change({ method: 'POST', path: pathOf(id, 'resubmit') }, options, {
      isDone: ({ status }) => status !== 'FAILED',
      echo: 'INVOICE_NOT_RESUBMITTABLE',
      question: 'whether the invoice was sent again',
    })
  }

  /** The bytes, compared with the SHA-256 that the service tells. */
  async download(id: string, kind: ArtefactKind, options?: CallOptions): Promise<Artefact> {
    return this.#download(id, kind, { options, read: readArtefact })
  }

  /**
   * The same as a file, which has its name only once it is whole: a path, or what makes one of the
   * name that the service gives. Node only.
   */
  async save(
    id: string,
    kind: ArtefactKind,
    { file, ...options }: CallOptions & { file: string | ((fileName: string) => string) },
  ): Promise<SavedArtefact & { file: string }> {
    return this.#download(id, kind, { options, read: (opened) => saveArtefact(opened, file) })
  }

  #download<Result>(
    id: string,
    kind: ArtefactKind,
    { options, read }: { options?: CallOptions | undefined; read: Reader<Result> },
  ): Promise<Result> {
    const { limits, patience } = this.#bounds(options)
    const request: Request = { method: 'GET', path: pathOf(id, kind) }
    return withPatience(patience, () => this.#connection.download(request, limits(), read))
  }

  #ask<Data>(request: Request, limits: Limits): Promise<Data> {
    return this.#connection.ask<Data>(request, limits)
  }

  #read<Data>(request: Request, options?: CallOptions): Promise<Data> {
    const { limits, patience } = this.#bounds(options)
    return withPatience(patience, () => this.#ask<Data>(request, limits()))
  }

  #change(
    request: Request & { path: string },
    options: CallOptions,
    { isDone, echo = 'INVOICE_NOT_EDITABLE', question }: ChangeOfInvoice,
  ): Promise<Invoice> {
    const { limits, patience } = this.#bounds(options)
    const path = request.path.split('/').slice(0, 2).join('/')
    const find = async () => {
      const invoice = await this.#ask<Invoice>({ method: 'GET', path }, limits())
      return isDone(invoice) ? invoice : undefined
    }
    const send = () => this.#ask<Invoice>(request, limits())
    return settle({ send, find, echo, question }, patience)
  }

  /** Throws INVOICE_NUMBER_EXISTS where the number is another invoice's. */
  async #findSame(body: string, limits: () => Limits): Promise<Invoice | undefined> {
    const { invoiceNumber } = JSON.parse(body) as Partial<Record<string, unknown>>
    // Without a number the service refuses it, and there is nothing to look for.
    if (typeof invoiceNumber !== 'string') return undefined
    const kept = await this.#findByNumber(invoiceNumber, limits)
    const differing = kept ? findAllDifferences(body, kept) : []
    if (!kept || differing.length === 0) return kept
    const message = `An invoice numbered "${invoiceNumber}" already exists (${kept.id}) with different content: ${differing.join(', ')}. Nothing was created.`
    const errors = differing.map((field) => ({
      field,
      message: 'differs from the existing invoice',
    }))
    throw new EinvoicingError('INVOICE_NUMBER_EXISTS', message, { status: 409, errors })
  }

  async #findByNumber(invoiceNumber: string, limits: () => Limits): Promise<Invoice | undefined> {
    const query = { invoiceNumber, size: 1 }
    const page = await this.#ask<InvoicePage>({ method: 'GET', path: '', query }, limits())
    const [listed] = page.content
    if (!listed) return undefined
    return this.#ask<Invoice>({ method: 'GET', path: pathOf(listed.id) }, limits())
  }

  /** `limits` tells what is left for one request, each time it is asked. */
  #bounds(options: CallOptions = {}): { limits: () => Limits; patience: Patience } {
    const { timeoutMs, deadlineMs, attempts, onPause } = this.#settings
    const signal = options.signal ?? this.#settings.signal
    const giveUpAt = Date.now() + (options.deadlineMs ?? deadlineMs)
    const each = options.timeoutMs ?? timeoutMs
    const limits = () => ({ timeoutMs: Math.max(1, Math.min(each, giveUpAt - Date.now())), signal })
    return { limits, patience: { attempts, giveUpAt, signal, onPause } }
  }
}

interface ChangeOfInvoice {
  isDone: (invoice: Invoice) => boolean
  echo?: Change<Invoice>['echo']
  question: string
}

/** An id goes into a path as one segment, whatever it holds. */
function pathOf(id: string, below?: 'status' | 'sign' | 'resubmit' | ArtefactKind): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError('id must be that of an invoice')
  return `/${encodeURIComponent(id)}${below === undefined ? '' : `/${below}`}`
}
