import { isDecided } from '@einvoicing/domain/invoice-status'
import { limits } from '@einvoicing/domain/limits'
import type { Invoice } from '@einvoicing/proto/invoice'
import { auditEntry } from '../audit'
import { changeMoment } from '../change-invoice'
import type { Deps } from '../deps'
import { next } from '../lifecycle'
import { signedEvent } from '../signed-event'
import type { Change, InvoiceStore, InvoiceSummary, Write } from '../store/store'
import { withoutCredit } from './booking'
import { changeOriginal } from './change-original'
import { originalRejectedCode } from '@einvoicing/domain/creditable'

type CreditDeps = Pick<Deps, 'store' | 'now'>

const actor = 'service:invoices'
const attemptsMax = 20
/** About 10 MB, so that the decision of an original with 200 credit notes fits into memory. */
const linesTogether = 10_000

/** With what follows for credit notes, as far as one commit should hold it: see `settleOpenNotes`. */
export async function commitDecision(
  deps: CreditDeps,
  seen: Invoice,
  write: Write,
): ReturnType<InvoiceStore['change']> {
  const { status, type, credits } = write.invoice
  const touchesOthers = type === 'CREDIT_NOTE' ? status === 'REJECTED' : credits !== undefined
  if (!isDecided(status) || !touchesOthers) return deps.store.change(seen, write)
  const together = new Together(deps, seen.organizationId)
  together.add({ seen, write })
  if (type === 'CREDIT_NOTE') await together.release(write.invoice)
  else await together.settleFirstNotes(write.invoice)
  return deps.store.changeTogether(together.list())
}

/** Of the credit notes that the commit of the original's decision left waiting. */
export async function settleOpenNotes(deps: CreditDeps, original: Invoice): Promise<void> {
  const { organizationId, status, type } = original
  if (type === 'CREDIT_NOTE' || !isDecided(status)) return
  for (const id of await listSignedNotes(deps, original))
    await settleWaitingNote(deps, organizationId, id)
}

async function listSignedNotes({ store }: CreditDeps, original: Invoice): Promise<string[]> {
  const ids = (original.credits?.items ?? []).map(({ creditNoteId }) => creditNoteId)
  if (ids.length === 0) return ids
  const summaries = await store.readSummaries(original.organizationId, ids)
  return ids.filter((id) => summaries.get(id)?.status === 'SIGNED')
}

/** As `settleWaitingNote`, of many credit notes; those that wait on are not read. */
export async function settleDecidedNotes(
  deps: CreditDeps,
  invoices: readonly Invoice[],
): Promise<void> {
  const waiting = invoices.filter(({ waitsFor }) => waitsFor)
  for (const organizationId of new Set(waiting.map((note) => note.organizationId))) {
    const notes = waiting.filter((note) => note.organizationId === organizationId)
    const ids = new Set(notes.flatMap(({ waitsFor }) => waitsFor?.invoiceIds ?? []))
    const originals = await deps.store.readSummaries(organizationId, [...ids])
    const isOver = (id: string) => isDecided(originals.get(id)?.status ?? '')
    for (const { id, waitsFor } of notes) {
      if (waitsFor?.invoiceIds.some(isOver)) await settleWaitingNote(deps, organizationId, id)
    }
  }
}

/** Repeats the effects of an original's decision, in case they are missing. */
export async function settleWaitingNote(
  deps: CreditDeps,
  organizationId: string,
  noteId: string,
): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const note = await deps.store.get(organizationId, noteId)
    if (!note?.waitsFor) return
    const together = new Together(deps, organizationId)
    await together.settle(note)
    const changes = together.list()
    if (changes.length === 0) return
    if ((await deps.store.changeTogether(changes)) === 'changed') return
  }
  throw new Error(
    `credit note ${noteId} or its originals changed in each of ${attemptsMax} attempts`,
  )
}

function joinWrites(planned: Write, { invoice, audit }: Write): Write {
  return { ...planned, invoice, laterAudit: [...(planned.laterAudit ?? []), audit] }
}

/** Changes of several invoices in one commit, each invoice once. */
class Together {
  private readonly changes = new Map<string, Change>()
  private readonly deps: CreditDeps
  private readonly organizationId: string

  constructor(deps: CreditDeps, organizationId: string) {
    this.deps = deps
    this.organizationId = organizationId
  }

  list(): Change[] {
    return [...this.changes.values()]
  }

  add(change: Change): void {
    this.changes.set(change.write.invoice.id, change)
  }

  async settleFirstNotes(decided: Invoice): Promise<void> {
    for (const noteId of await listSignedNotes(this.deps, decided)) {
      if (this.countLines() > linesTogether) return
      const note = await this.deps.store.get(this.organizationId, noteId)
      if (note?.waitsFor?.invoiceIds.includes(decided.id)) await this.settle(note)
    }
  }

  /** Sends the note when all originals are accepted; fails it when one is rejected. */
  async settle(note: Invoice): Promise<void> {
    const ids = note.waitsFor?.invoiceIds ?? []
    const originals = await this.readSummaries(ids)
    const rejected = originals.find((original) => original?.status === 'REJECTED')
    if (rejected) return this.fail(note, rejected)
    const left = ids.filter((_, index) => originals[index]?.status !== 'ACCEPTED')
    if (left.length === ids.length) return
    const at = changeMoment(this.deps.now(), note)
    const isSent = left.length === 0
    const invoice: Invoice = {
      ...note,
      updatedAt: at,
      waitsFor: isSent ? undefined : { invoiceIds: left },
      ...(isSent && { clearanceStartedAt: at }),
    }
    const audit = auditEntry('invoice.wait-ended', { at, actor, invoiceId: note.id })
    this.add({
      seen: note,
      write: { invoice, audit, ...(isSent && { event: signedEvent(invoice) }) },
    })
  }

  async release(note: Invoice): Promise<void> {
    for (const { id } of note.precedingInvoices?.items ?? []) {
      const original = id === undefined ? undefined : await this.findOriginal(id)
      const isBooked = original?.credits?.items.some((each) => each.creditNoteId === note.id)
      if (!original || !isBooked) continue
      const credits = withoutCredit(original, note.id)
      const { invoiceNumber } = note
      const released = { action: 'invoice.credit-released', actor, invoiceNumber, credits } as const
      const change = changeOriginal(this.deps, original, released)
      const planned = this.changes.get(original.id)
      if (planned) planned.write = joinWrites(planned.write, change.write)
      else this.add(change)
    }
  }

  private async fail(note: Invoice, { invoiceNumber }: InvoiceSummary): Promise<void> {
    const status = next(note.status, 'fail')
    if (!status) return
    const at = changeMoment(this.deps.now(), note)
    const message = `The tax authority rejected invoice ${invoiceNumber}, which this credit note corrects.`
    const invoice: Invoice = {
      ...note,
      status,
      waitsFor: undefined,
      dgiErrorCode: originalRejectedCode,
      dgiErrorMessage: message,
      updatedAt: at,
    }
    const audit = auditEntry('invoice.failed', {
      at,
      actor,
      invoiceId: note.id,
      from: note.status,
      to: status,
      detail: `${originalRejectedCode}: ${message}`,
    })
    this.add({ seen: note, write: { invoice, audit } })
    await this.release(note)
  }

  /** The store may read all lines of an original to change it. */
  private countLines(): number {
    const lines = this.list().map(({ write: { keepsLines, invoice } }) => {
      return keepsLines ? limits.lineCount : invoice.lines.length
    })
    return lines.reduce((sum, each) => sum + each, 0)
  }

  private async readSummaries(ids: string[]): Promise<(InvoiceSummary | undefined)[]> {
    const stored = await this.deps.store.readSummaries(this.organizationId, ids)
    return ids.map((id) => this.changes.get(id)?.write.invoice ?? stored.get(id))
  }

  private async findOriginal(id: string): Promise<Invoice | undefined> {
    const planned = this.changes.get(id)?.write.invoice
    return planned ?? this.deps.store.getWithoutLines(this.organizationId, id)
  }
}
