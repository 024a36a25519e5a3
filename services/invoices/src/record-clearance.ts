/**
 * Events may arrive twice, late or out of order: steps already made are ignored, and a decision
 * that comes before its transmission records both. A decision after FAILED replaces the failure.
 */

import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Invoice } from '@einvoicing/proto/invoice'
import { auditEntry, type AuditAction } from './audit'
import { changeInvoice, changeMoment } from './change-invoice'
import { commitDecision, endWaits } from './credit/end-wait'
import type { Deps } from './deps'
import { next, type Step } from './lifecycle'
import type { Write } from './store/store'

type ClearanceDeps = Pick<Deps, 'store' | 'now' | 'log'>

interface Recording {
  seen?: Invoice
  step: Step
  action: AuditAction
  fields: Partial<Invoice>
  detail: string
  work?: 'final'
  /** The clearance attempt of the event; absent: any. */
  clearanceStartedAt?: string
}

export async function recordTransmitted(
  deps: ClearanceDeps,
  event: InvoiceEvent<'clearance.transmitted'>,
): Promise<void> {
  const { submittedAt, answer } = event.data
  await record(deps, event, {
    step: 'transmit',
    action: 'invoice.transmitted',
    fields: { dgiSubmittedAt: submittedAt },
    detail: answer,
  })
}

export async function recordAccepted(
  deps: ClearanceDeps,
  event: InvoiceEvent<'clearance.accepted'>,
): Promise<void> {
  const { reference, qrCode, qrPayload, decidedAt, answer } = event.data
  const seen = await recordOvertakenTransmission(deps, event, decidedAt)
  await record(deps, event, {
    seen,
    step: 'accept',
    action: 'invoice.accepted',
    fields: {
      dgiReference: reference,
      dgiQrCode: qrCode,
      dgiQrPayload: qrPayload,
      dgiValidatedAt: decidedAt,
    },
    detail: answer,
    work: 'final',
  })
}

export async function recordRejected(
  deps: ClearanceDeps,
  event: InvoiceEvent<'clearance.rejected'>,
): Promise<void> {
  const { errorCode, errorMessage, decidedAt, answer } = event.data
  const seen = await recordOvertakenTransmission(deps, event, decidedAt)
  await record(deps, event, {
    seen,
    step: 'reject',
    action: 'invoice.rejected',
    fields: { dgiErrorCode: errorCode, dgiErrorMessage: errorMessage, dgiRejectedAt: decidedAt },
    detail: answer,
    work: 'final',
  })
}

export async function recordFailed(
  deps: ClearanceDeps,
  event: InvoiceEvent<'clearance.failed'>,
): Promise<void> {
  const { errorCode, errorMessage, clearanceStartedAt } = event.data
  await record(deps, event, {
    step: 'fail',
    action: 'invoice.failed',
    fields: { dgiErrorCode: errorCode, dgiErrorMessage: errorMessage },
    detail: `${errorCode}: ${errorMessage}`,
    clearanceStartedAt,
  })
}

async function recordOvertakenTransmission(
  deps: ClearanceDeps,
  event: InvoiceEvent,
  submittedAt: string,
): Promise<Invoice> {
  return record(deps, event, {
    step: 'transmit',
    action: 'invoice.transmitted',
    fields: { dgiSubmittedAt: submittedAt },
    detail: 'the decision arrived before the acknowledgement',
  })
}

async function record(
  deps: ClearanceDeps,
  event: InvoiceEvent,
  recording: Recording,
): Promise<Invoice> {
  const target = {
    organizationId: event.organizationid,
    invoiceId: event.subject,
    ...(recording.seen && { seen: recording.seen }),
    commit: (seen: Invoice, write: Write) => commitDecision(deps, seen, write),
  }
  const plan = (seen: Invoice) => recordedWrite(seen, recording, deps.now())
  const recorded = await changeInvoice(deps, target, plan)
  // Also after an event that is delivered again, because this had failed.
  await endWaits(deps, recorded)
  return recorded
}

function recordedWrite(seen: Invoice, recording: Recording, now: Date): Write | undefined {
  const { step, action, fields, detail, work, clearanceStartedAt } = recording
  const status = next(seen.status, step)
  const concerns = [undefined, seen.clearanceStartedAt].includes(clearanceStartedAt)
  if (!status || !concerns) return undefined
  const at = changeMoment(now, seen)
  const isLate = seen.status === 'FAILED'
  const late = isLate ? afterFailure(seen, at) : undefined
  const changes = Object.assign({}, late, fields, { status, updatedAt: at })
  return {
    invoice: Object.assign({}, seen, changes),
    work,
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

/** The audit log still has what is removed here. */
function afterFailure({ dgiSubmittedAt }: Invoice, at: string): Partial<Invoice> {
  return {
    dgiErrorCode: undefined,
    dgiErrorMessage: undefined,
    dgiSubmittedAt: dgiSubmittedAt ?? at,
  }
}
