// Creates each invoice exactly once over an unreliable connection: reads are retried, changes only
// after checking whether they happened. Every call has a deadline and throws `EinvoicingError`.

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
import { findAllDifferences, findCreditDifferences, findDifferences } from './same-invoice'
import type {
  CreatedInvoice,
  CreditNoteOfInvoice,
  Invoice,
  InvoiceChanges,
  InvoicePage,
  InvoiceStatus,
  Verification,
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
  /** For one request and its whole answer; default 30 seconds. */
  timeoutMs?: number | undefined
  /** For one call with all its retries and pauses; default 2 minutes, 10 for `waitUntilFinal`. */
  deadlineMs?: number | undefined
  /** Attempts of one call before it fails; default 4. 429 is not counted. */
  attempts?: number | undefined
  /** Aborts every call that has no signal of its own. */
  signal?: AbortSignal | undefined
  /** Called before each pause between two attempts, with the error that caused it. */
  onPause?: Patience['onPause']
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  deadlineMs?: number | undefined
}

/** Of XAdES. */
export type SignatureLevel = 'T' | 'LT' | 'LTA'

export interface DownloadOptions extends CallOptions {
  /** For the signed XML: with time stamps and other evidence, of at least this level. */
  level?: SignatureLevel | undefined
}

export interface CreateOptions extends CallOptions {
  /** Return an existing invoice of the same content instead of throwing INVOICE_NUMBER_EXISTS. */
  acceptExisting?: boolean | undefined
}

export interface UpdateOptions extends CallOptions {
  /** `updatedAt` of the draft as it was read: throws INVOICE_CHANGED if it has changed since. */
  ifUpdatedAt?: string | undefined
}

export interface WaitOptions extends CallOptions {
  onStatus?: ((status: InvoiceStatus) => void) | undefined
}

const defaults = { timeoutMs: 30_000, deadlineMs: 120_000, attempts: 4, waitMs: 600_000 }
const repeatCreation = 'Repeat the call with acceptExisting: true, which creates nothing twice.'

export class EinvoicingClient {
  readonly #connection: Connection
  readonly #settings: Omit<ClientSettings, keyof ConnectionSettings>

  /** Throws `TypeError` for an invalid address or key. */
  constructor(settings: ClientSettings) {
    this.#connection = new Connection(settings)
    const { timeoutMs, deadlineMs, attempts, signal, onPause } = settings
    this.#settings = { timeoutMs, deadlineMs, attempts, signal, onPause }
  }

  /** Exactly once: a lost answer is looked up by number. JSON text is sent as it is. */
  async createInvoice(
    invoice: NewInvoice | string,
    options: CreateOptions = {},
  ): Promise<CreatedInvoice> {
    const body = invoiceJson(invoice)
    const { limits, patience } = this.#bounds(options)
    const change: Change<CreatedInvoice> = {
      send: () => this.#ask({ method: 'POST', path: '', body }, limits()),
      find: () => this.#findSame(body, limits),
      alreadyDone: 'INVOICE_NUMBER_EXISTS',
      acceptsExisting: options.acceptExisting ?? false,
      question: 'whether the invoice was created',
      advice: repeatCreation,
    }
    return settle(change, patience)
  }

  /** A credit note of an invoice, exactly once: a lost answer is looked up by number. */
  async creditInvoice(
    id: string,
    note: CreditNoteOfInvoice,
    options: CreateOptions = {},
  ): Promise<CreatedInvoice> {
    const body = invoiceJson(note)
    const { limits, patience } = this.#bounds(options)
    const change: Change<CreatedInvoice> = {
      send: () => this.#ask({ method: 'POST', path: toPath(id, 'credit-note'), body }, limits()),
      find: async () => {
        const stored = await this.#findByNumber(note.invoiceNumber, limits)
        if (!stored) return undefined
        const original = await this.#ask<Invoice>({ method: 'GET', path: toPath(id) }, limits())
        assertSame(stored, findCreditDifferences(body, original, stored))
        return stored
      },
      alreadyDone: 'INVOICE_NUMBER_EXISTS',
      acceptsExisting: options.acceptExisting ?? false,
      question: 'whether the credit note was created',
      advice: repeatCreation,
    }
    return settle(change, patience)
  }

  async get(id: string, options?: CallOptions): Promise<Invoice> {
    return this.#read({ method: 'GET', path: toPath(id) }, options)
  }

  /** With its lines; `undefined` if there is none with this number. */
  async find(invoiceNumber: string, options?: CallOptions): Promise<Invoice | undefined> {
    const { limits, patience } = this.#bounds(options)
    return withPatience(patience, () => this.#findByNumber(invoiceNumber, limits))
  }

  /** The clearance status; smaller than the invoice. */
  async status(id: string, options?: CallOptions): Promise<InvoiceStatus> {
    return this.#read({ method: 'GET', path: toPath(id, 'status') }, options)
  }

  /** 10 minutes by default. Throws NOT_FINAL after that, and NOT_SUBMITTED for a draft. */
  async waitUntilFinal(id: string, options: WaitOptions = {}): Promise<FinalStatus> {
    const { onStatus } = options
    const deadlineMs = options.deadlineMs ?? this.#settings.deadlineMs ?? defaults.waitMs
    const { limits, patience } = this.#bounds({ ...options, deadlineMs })
    const read = () =>
      this.#ask<InvoiceStatus>({ method: 'GET', path: toPath(id, 'status') }, limits())
    return pollUntilFinal(read, { ...patience, onStatus })
  }

  /** Page by page; none appears twice when invoices are created or change meanwhile. */
  list(query: ListQuery = {}, options?: CallOptions): AsyncGenerator<ListedInvoice, void, void> {
    return walkPages((page) => this.listPage({ size: 100, ...query, page }, options), query.page)
  }

  listPage(query: ListQuery = {}, options?: CallOptions): Promise<InvoicePage> {
    return this.#read({ method: 'GET', path: '', query }, options)
  }

  /** Of a draft: only the fields present change. JSON text is sent as it is. */
  async update(
    id: string,
    changes: InvoiceChanges | string,
    { ifUpdatedAt: ifMatch, ...options }: UpdateOptions = {},
  ): Promise<Invoice> {
    const body = invoiceJson(changes)
    return this.#change({ method: 'PUT', path: toPath(id), body, ifMatch }, this.#bounds(options), {
      isDone: (invoice) => findDifferences(body, invoice).length === 0,
      question: 'whether the invoice was changed',
    })
  }

  /** Of a draft; its number stays used. A lost answer hides who cancelled it, and which version. */
  async cancel(
    id: string,
    { ifUpdatedAt: ifMatch, ...options }: UpdateOptions = {},
  ): Promise<Invoice> {
    return this.#change({ method: 'DELETE', path: toPath(id), ifMatch }, this.#bounds(options), {
      isDone: ({ status }) => status === 'CANCELLED',
      question: 'whether the invoice was cancelled',
    })
  }

  /**
   * Of a draft; clearance begins. After a lost answer it also returns what another caller signed.
   * With `ifUpdatedAt` it reads the draft first, and throws INVOICE_CHANGED if that differs.
   */
  async sign(
    id: string,
    { ifUpdatedAt: ifMatch, ...options }: UpdateOptions = {},
  ): Promise<Invoice> {
    const bounds = this.#bounds(options)
    const read = () => this.#ask<Invoice>({ method: 'GET', path: toPath(id) }, bounds.limits())
    // A signed invoice does not say which version of the draft it was.
    const draft = ifMatch === undefined ? undefined : await withPatience(bounds.patience, read)
    return this.#change({ method: 'POST', path: toPath(id, 'sign'), ifMatch }, bounds, {
      isDone: (invoice) => {
        if (invoice.status === 'PENDING' || invoice.status === 'CANCELLED') return false
        // Changed already before the first request: the service rejects it.
        if (draft && draft.updatedAt !== ifMatch) return false
        if (draft) assertUnchanged(invoice, draft)
        return true
      },
      question: 'whether the invoice was signed',
    })
  }

  /** Sends a FAILED invoice to the tax authority again. */
  async resubmit(id: string, options: CallOptions = {}): Promise<Invoice> {
    return this.#change({ method: 'POST', path: toPath(id, 'resubmit') }, this.#bounds(options), {
      isDone: ({ status }) => status !== 'FAILED',
      alreadyDone: 'INVOICE_NOT_RESUBMITTABLE',
      question: 'whether the invoice was sent again',
    })
  }

  /** The bytes, verified by the SHA-256 that the service sends. */
  async download(id: string, kind: ArtefactKind, options?: DownloadOptions): Promise<Artefact> {
    return this.#download(id, kind, { options, read: readArtefact })
  }

  /** Saves to a path, or to the one that `file` returns for the service's file name. Node only. */
  async save(
    id: string,
    kind: ArtefactKind,
    { file, ...options }: DownloadOptions & { file: string | ((fileName: string) => string) },
  ): Promise<SavedArtefact & { file: string }> {
    return this.#download(id, kind, { options, read: (opened) => saveArtefact(opened, file) })
  }

  /** Any signed file: what is wrong with it is in the answer. */
  async verify(
    xml: string | Uint8Array<ArrayBuffer>,
    options?: CallOptions,
  ): Promise<Verification> {
    return this.#read({ method: 'POST', path: '', below: 'verify', body: xml }, options)
  }

  #download<Result>(
    id: string,
    kind: ArtefactKind,
    { options, read }: { options?: DownloadOptions | undefined; read: Reader<Result> },
  ): Promise<Result> {
    const { limits, patience } = this.#bounds(options)
    const level = options?.level === undefined ? '' : `?level=${options.level}`
    const request: Request = { method: 'GET', path: `${toPath(id, kind)}${level}` }
    return withPatience(patience, () => this.#connection.download(request, limits(), read))
  }

  #ask<Data>(request: Request, limits: Limits): Promise<Data> {
    return this.#connection.send<Data>(request, limits)
  }

  #read<Data>(request: Request, options?: CallOptions): Promise<Data> {
    const { limits, patience } = this.#bounds(options)
    return withPatience(patience, () => this.#ask<Data>(request, limits()))
  }

  #change(
    request: Request & { path: string },
    { limits, patience }: Bounds,
    { isDone, alreadyDone = 'INVOICE_NOT_EDITABLE', question }: ChangeOfInvoice,
  ): Promise<Invoice> {
    const path = request.path.split('/').slice(0, 2).join('/')
    const find = async () => {
      const invoice = await this.#ask<Invoice>({ method: 'GET', path }, limits())
      return isDone(invoice) ? invoice : undefined
    }
    const send = () => this.#ask<Invoice>(request, limits())
    const advice = 'Read the invoice before you repeat the call.'
    return settle({ send, find, alreadyDone, question, advice }, patience)
  }

  /** Throws INVOICE_NUMBER_EXISTS if the number belongs to a different invoice. */
  async #findSame(body: string, limits: () => Limits): Promise<Invoice | undefined> {
    const { invoiceNumber } = JSON.parse(body) as Partial<Record<string, unknown>>
    // Without a number the service reports the error, and there is nothing to look up.
    if (typeof invoiceNumber !== 'string') return undefined
    const stored = await this.#findByNumber(invoiceNumber, limits)
    if (stored) assertSame(stored, findAllDifferences(body, stored))
    return stored
  }

  async #findByNumber(invoiceNumber: string, limits: () => Limits): Promise<Invoice | undefined> {
    const query = { invoiceNumber, size: 1 }
    const page = await this.#ask<InvoicePage>({ method: 'GET', path: '', query }, limits())
    const [listed] = page.content
    if (!listed) return undefined
    return this.#ask<Invoice>({ method: 'GET', path: toPath(listed.id) }, limits())
  }

  #bounds(options: CallOptions = {}): Bounds {
    const { attempts = defaults.attempts, onPause } = this.#settings
    const signal = options.signal ?? this.#settings.signal
    const deadlineMs = options.deadlineMs ?? this.#settings.deadlineMs ?? defaults.deadlineMs
    const giveUpAt = Date.now() + deadlineMs
    const each = options.timeoutMs ?? this.#settings.timeoutMs ?? defaults.timeoutMs
    const limits = () => ({ timeoutMs: Math.max(1, Math.min(each, giveUpAt - Date.now())), signal })
    return { limits, patience: { attempts, giveUpAt, signal, onPause } }
  }
}

function assertSame({ id, invoiceNumber }: Invoice, differing: readonly string[]): void {
  if (differing.length === 0) return
  const message = `An invoice numbered "${invoiceNumber}" already exists (${id}) with different content: ${differing.join(', ')}. Nothing was created.`
  const errors = differing.map((field) => ({ field, message: 'differs from the existing invoice' }))
  throw new EinvoicingError('INVOICE_NUMBER_EXISTS', message, { status: 409, errors })
}

function assertUnchanged(signed: Invoice, draft: Invoice): void {
  const differing = findDifferences(JSON.stringify(draft), signed)
  if (differing.length === 0) return
  const message = `The invoice was changed after you read it, and signed by another caller. It differs in: ${differing.join(', ')}.`
  const errors = differing.map((field) => ({
    field,
    message: 'differs from the draft that you read',
  }))
  throw new EinvoicingError('INVOICE_CHANGED', message, { status: 412, errors })
}

interface Bounds {
  limits: () => Limits
  patience: Patience
}

interface ChangeOfInvoice {
  isDone: (invoice: Invoice) => boolean
  alreadyDone?: Change<Invoice>['alreadyDone']
  question: string
}

function toPath(
  id: string,
  below?: 'status' | 'sign' | 'credit-note' | 'resubmit' | ArtefactKind,
): string {
  if (id === '' || id === '.' || id === '..') throw new TypeError('id must be that of an invoice')
  return `/${encodeURIComponent(id)}${below === undefined ? '' : `/${below}`}`
}
