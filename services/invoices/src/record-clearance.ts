/**
 * What the authority said, entered into the invoice's life. Only here do SIGNED and TRANSMITTED
 * invoices change.
 *
 * A decision may come after an invoice was given up: it counts, and takes the place of the failure.
 *
 * Events may arrive twice, late or out of order: what the invoice has already passed is left alone,
 * and a decision that overtook its transmission enters both.
 */

import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Invoice } from '@einvoicing/proto/invoice'
import { auditEntry, type AuditAction } from './audit'
import { changeInvoice, changeMoment } from './change-invoice'
import type { Deps } from './deps'
import { next, type Step } from './lifecycle'
import type { ArchivePart, Write } from './store/store'

type ClearanceDeps = Pick<Deps, 'store' | 'now' | 'log'>

interface Recording {
  step: Step
  action: AuditAction
  /** What the event adds to the invoice. */
  fields: Partial<Invoice>
  detail: string
  archive?: ArchivePart
  /** The attempt at clearance this is about; any when absent. */
  clearanceStartedAt?: string
}

export async function recordTransmitted(
  deps: ClearanceDeps,
  fact: InvoiceEvent<'clearance.transmitted'>,
): Promise<void> {
  const { submittedAt, answer } = fact.data
  await record(deps, fact, {
    step: 'transmit',
    action: 'invoice.transmitted',
    fields: { dgiSubmittedAt: submittedAt },
    detail: answer,
  })
}

export async function recordAccepted(
  deps: ClearanceDeps,
  fact: InvoiceEvent<'clearance.accepted'>,
): Promise<void> {
  const { reference, qrCode, qrPayload, decidedAt, answer } = fact.data
  await recordOvertakenTransmission(deps, fact, decidedAt)
  await record(deps, fact, {
    step: 'accept',
    action: 'invoice.accepted',
    fields: {
      dgiReference: reference,
      dgiQrCode: qrCode,
      dgiQrPayload: qrPayload,
      dgiValidatedAt: decidedAt,
    },
    detail: answer,
    archive: 'final',
  })
}

export async function recordRejected(
  deps: ClearanceDeps,
  fact: InvoiceEvent<'clearance.rejected'>,
): Promise<void> {
  const { errorCode, errorMessage, decidedAt, answer } = fact.data
  await recordOvertakenTransmission(deps, fact, decidedAt)
  await record(deps, fact, {
    step: 'reject',
    action: 'invoice.rejected',
    fields: { dgiErrorCode: errorCode, dgiErrorMessage: errorMessage, dgiRejectedAt: decidedAt },
    detail: answer,
    archive: 'final',
  })
}

export async function recordFailed(
  deps: ClearanceDeps,
  fact: InvoiceEvent<'clearance.failed'>,
): Promise<void> {
  const { errorCode, errorMessage, clearanceStartedAt } = fact.data
  await record(deps, fact, {
    step: 'fail',
    action: 'invoice.failed',
    fields: { dgiErrorCode: errorCode, dgiErrorMessage: errorMessage },
    detail: `${errorCode}: ${errorMessage}`,
    clearanceStartedAt,
  })
}

async function recordOvertakenTransmission(
  deps: ClearanceDeps,
  fact: InvoiceEvent,
  submittedAt: string,
): Promise<void> {
  await record(deps, fact, {
    step: 'transmit',
    action: 'invoice.transmitted',
    fields: { dgiSubmittedAt: submittedAt },
    detail: 'the decision arrived before the acknowledgement',
  })
}

async function record(
  deps: ClearanceDeps,
  fact: InvoiceEvent,
  recording: Recording,
): Promise<void> {
  const target = { organizationId: fact.organizationid, invoiceId: fact.subject }
  await changeInvoice(deps, target, (seen) => recordedWrite(seen, recording, deps.now()))
}

function recordedWrite(seen: Invoice, recording: Recording, now: Date): Write | undefined {
  const { step, action, fields, detail, archive, clearanceStartedAt } = recording
  const status = next(seen.status, step)
  const concerns = [undefined, seen.clearanceStartedAt].includes(clearanceStartedAt)
  if (!status || !concerns) return undefined
  const at = changeMoment(now, seen)
  const isLate = seen.status === 'FAILED'
  return {
    invoice: { ...seen, ...(isLate && afterFailure(seen, at)), ...fields, status, updatedAt: at },
    archive,
    audit: auditEntry(action, {
      at,
      actor: 'service:clearance',
      invoiceId: seen.id,
      from: seen.status,
      to: status,
      detail,
    }),
  }
}

/** Nothing of the failure remains on the invoice; the audit has it. */
function afterFailure({ dgiSubmittedAt }: Invoice, at: string): Partial<Invoice> {
  return {
    dgiErrorCode: undefined,
    dgiErrorMessage: undefined,
    dgiSubmittedAt: dgiSubmittedAt ?? at,
  }
}
