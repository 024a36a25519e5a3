/**
 * Events may arrive twice, late or out of order: steps already made are ignored, and a decision
 * that comes before its transmission records both. A decision after FAILED replaces the failure.
 */

import { isNeverSent } from '@einvoicing/domain/creditable'
import { isDecided } from '@einvoicing/domain/invoice-status'
import { toLogFields } from '@einvoicing/events/delivery-outage'
import type { InvoiceEvent } from '@einvoicing/events/event'
import type { Invoice } from '@einvoicing/proto/invoice'
import { auditEntry, type AuditAction } from './audit'
import { changeInvoice, changeMoment } from './change-invoice'
import { commitDecision, settleOpenNotes } from './credit/waiting-notes'
import type { Deps } from './deps'
import { next, type Step } from './lifecycle'
import type { Write } from './store/store'

type ClearanceDeps = Pick<Deps, 'store' | 'now' | 'log'>

type Decided = InvoiceEvent<'clearance.accepted' | 'clearance.rejected'>

interface Recording {
  seen?: Invoice
  step: Step
  action: AuditAction
  fields: Partial<Invoice>
  detail: string
  decision?: Decided['data']
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
  const { reference, qrCode, qrPayload, decidedAt } = event.data
  await recordDecision(deps, event, {
    step: 'accept',
    action: 'invoice.accepted',
    fields: {
      dgiReference: reference,
      dgiQrCode: qrCode,
      dgiQrPayload: qrPayload,
      dgiValidatedAt: decidedAt,
    },
  })
}

export async function recordRejected(
  deps: ClearanceDeps,
  event: InvoiceEvent<'clearance.rejected'>,
): Promise<void> {
  const { errorCode, errorMessage, decidedAt } = event.data
  await recordDecision(deps, event, {
    step: 'reject',
    action: 'invoice.rejected',
    fields: { dgiErrorCode: errorCode, dgiErrorMessage: errorMessage, dgiRejectedAt: decidedAt },
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

async function recordDecision(
  deps: ClearanceDeps,
  event: Decided,
  recording: Pick<Recording, 'step' | 'action' | 'fields'>,
): Promise<void> {
  const decision = event.data
  // Does nothing unless the decision overtook it.
  const seen = await record(deps, event, {
    step: 'transmit',
    action: 'invoice.transmitted',
    fields: {},
    detail: 'the decision arrived before the acknowledgement',
    decision,
  })
  const { answer: detail } = decision
  await record(deps, event, Object.assign({ seen, detail, decision }, recording))
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
  const plan = (seen: Invoice) => {
    const write = recordedWrite(seen, recording, deps.now())
    if (!write || wasSent(seen)) return write
    deps.log.warn(
      { ...toLogFields(event), status: seen.status },
      'clearance reported on an invoice that was never sent: ignored',
    )
    return undefined
  }
  const recorded = await changeInvoice(deps, target, plan)
  // Also after an event that is delivered again, because this had failed.
  await settleOpenNotes(deps, recorded)
  return recorded
}

function recordedWrite(seen: Invoice, recording: Recording, now: Date): Write | undefined {
  const { step, action, fields, detail, decision, clearanceStartedAt } = recording
  const status = next(seen.status, step)
  const concerns = [undefined, seen.clearanceStartedAt].includes(clearanceStartedAt)
  if (!status || !concerns) return undefined
  const at = changeMoment(now, seen)
  const late = seen.status === 'FAILED' ? noFailure : undefined
  const submitted = decision && { dgiSubmittedAt: findSubmittedAt(seen, decision) }
  const changes = Object.assign({}, late, submitted, fields)
  return {
    invoice: Object.assign({}, seen, changes, { status, updatedAt: at }),
    work: isDecided(status) ? 'final' : undefined,
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

const wasSent = (seen: Invoice) => !seen.waitsFor && !isNeverSent(seen)

/** The audit log still has what is removed here. */
const noFailure = { dgiErrorCode: undefined, dgiErrorMessage: undefined }

/** Never after the decision, whatever the clocks say; all moments are in the same form. */
function findSubmittedAt(
  { dgiSubmittedAt }: Invoice,
  { submittedAt, decidedAt }: Decided['data'],
): string {
  const known = dgiSubmittedAt ?? submittedAt ?? decidedAt
  return known < decidedAt ? known : decidedAt
}
