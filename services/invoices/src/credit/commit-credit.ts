/** The note and its originals are one commit: of two notes that exceed an invoice, one fails. */

import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '@einvoicing/domain/api-error'
import { numberExists } from '@einvoicing/domain/invoice-errors'
import type { Call } from '@einvoicing/rpc/call'
import type { Credit, Invoice } from '@einvoicing/proto/invoice'
import type { Deps } from '../deps'
import { inTurn } from '../in-turn'
import { rejectTakenNumber, type NumberDeps } from '../number'
import { signedEvent } from '../signed-event'
import { createHold } from '../store/bound-writes'
import type { Change, InvoiceStore, Write } from '../store/store'
import { bookCredit, bookRecoveredCredit, requireCreditable, withCredit } from './booking'
import { changeOriginal } from './change-original'

const pauseMsMax = 25

/** The signed XML of notes that wait for their turn; what is being written has a bound too. */
const holdInTurn = createHold(64 * 1024 * 1024)

/** Throws SERVICE_UNAVAILABLE when no other note may wait, before its signature is paid for. */
export async function requireTurn(note: Invoice): Promise<void> {
  await holdInTurn([{ invoice: note }], () => Promise.resolve())
}

/** Issued with another system: the service does not have the original. */
const lacksAnOriginal = ({ precedingInvoices }: Invoice) =>
  (precedingInvoices?.items ?? []).some(({ id }) => id === undefined)

const listOriginalIds = ({ precedingInvoices }: Invoice) =>
  (precedingInvoices?.items ?? []).flatMap(({ id }) => id ?? [])

/** Throws INVOICE_NOT_CREDITABLE, CREDIT_EXCEEDS_INVOICE, INVOICE_NUMBER_EXISTS. */
export async function computeCredits(
  deps: NumberDeps,
  note: Invoice,
  originals: readonly Invoice[],
): Promise<Credit[]> {
  try {
    requireCreditable(originals)
    return bookCredit(note, originals, { isOpen: lacksAnOriginal(note) })
  } catch (error) {
    // A repeated request: its own note, stored before, may have used up what was left.
    await rejectTakenNumber(deps, note)
    throw error
  }
}

/** `undefined` when the draft was changed since `seen`. Throws what `computeCredits` throws. */
export function commitCredit(deps: CommitDeps, change: Change, call: Call) {
  const bookOn: Booker = (note, originals) => computeCredits(deps, note, originals)
  return commitBooked(deps, change, { call, bookOn })
}

export function commitRecoveredCredit(deps: CommitDeps, change: Change, call: Call) {
  const bookOn: Booker = (note, originals) =>
    bookRecoveredCredit(note, originals, { isOpen: lacksAnOriginal(note) })
  return commitBooked(deps, change, { call, bookOn })
}

interface CommitDeps extends Pick<Deps, 'now'> {
  store: Pick<InvoiceStore, 'get' | 'getWithoutLines' | 'list' | 'changeTogether'>
}

type Booker = (note: Invoice, originals: readonly Invoice[]) => Credit[] | Promise<Credit[]>

interface Booking {
  call: Call
  bookOn: Booker
}

/** One at a time in this process; the version of the originals detects other processes. */
function commitBooked(
  deps: CommitDeps,
  change: Change,
  booking: Booking,
): Promise<Invoice | undefined> {
  const { organizationId } = change.write.invoice
  const commit = () => commitInTurn(deps, change, booking)
  return holdInTurn([change.write], () => inTurn(deps.store, organizationId, commit))
}

async function commitInTurn(
  deps: CommitDeps,
  { seen, write }: Change,
  { call, bookOn }: Booking,
): Promise<Invoice | undefined> {
  const { id, organizationId } = write.invoice
  const ids = listOriginalIds(write.invoice)
  for (;;) {
    if (Date.now() > call.deadline) throw unavailable('The invoice store')
    const found = await Promise.all(
      ids.map((each) => deps.store.getWithoutLines(organizationId, each)),
    )
    const originals = found.filter((each) => each !== undefined)
    const credits = await bookOn(write.invoice, originals)
    const note = prepare(write, originals)
    const booked = toChanges(deps, { originals, credits, actor: call.caller.actor })
    const outcome = await deps.store.changeTogether([{ seen, write: note }, ...booked])
    if (outcome === 'changed') return note.invoice
    const stored = await deps.store.get(organizationId, id)
    // The answer to an earlier attempt was lost.
    if (stored?.xmlSha256 === note.invoice.xmlSha256) return stored
    if (outcome === 'number-taken') throw numberExists(note.invoice.invoiceNumber)
    if (seen && stored?.updatedAt !== seen.updatedAt) return undefined
    await pause(Math.random() * pauseMsMax)
  }
}

/** It is sent once every original is accepted. */
function prepare(write: Write, originals: readonly Invoice[]): Write {
  const invoiceIds = originals
    .filter(({ status }) => status !== 'ACCEPTED')
    .map(({ id: original }) => original)
  if (invoiceIds.length === 0) return { ...write, event: signedEvent(write.invoice) }
  const waiting = { waitsFor: { invoiceIds }, clearanceStartedAt: undefined }
  return { ...write, invoice: { ...write.invoice, ...waiting }, event: undefined }
}

interface Booked {
  originals: readonly Invoice[]
  credits: readonly Credit[]
  actor: string
}

function toChanges(deps: Pick<Deps, 'now'>, { originals, credits, actor }: Booked): Change[] {
  return originals.flatMap((original, index) => {
    const credit = credits[index]
    if (!credit) return []
    const { invoiceNumber } = credit
    const booked = { invoiceNumber, credits: withCredit(original, credit) }
    return [changeOriginal(deps, original, { action: 'invoice.credited', actor, ...booked })]
  })
}
