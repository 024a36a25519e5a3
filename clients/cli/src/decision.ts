import { isNeverSent } from '@einvoicing/domain/creditable'
import type { EinvoicingClient, InvoiceStatus, Status } from '@einvoicing/client'
import { exitCodes } from './outcome'
import type { Run } from './run'
import { formatProperties, type Property } from './table'
import type { Style, Terminal } from './terminal'

/**
 * Prints the final status, or the whole invoice as JSON; exits with 1 if it was not accepted. After
 * an error, JSON is what is known of the invoice.
 */
export async function awaitDecision(
  run: Run,
  client: EinvoicingClient,
  invoice: { id: string; status?: Status },
): Promise<void> {
  const { terminal, isJson } = run
  let known = invoice
  const onStatus = (read: InvoiceStatus) => {
    known = { ...known, ...read }
    terminal.showProgress(`${read.status}…`)
  }
  try {
    const final = await client.waitUntilFinal(invoice.id, { onStatus })
    if (final.status !== 'ACCEPTED') run.endWith(exitCodes.refused)
    if (isJson) known = await client.get(invoice.id)
    else terminal.print(statusText(final, terminal))
  } finally {
    if (isJson && known.status !== undefined) terminal.printJson(known)
  }
}

const styles: Record<Status, Style> = {
  PENDING: 'dim',
  SIGNED: 'yellow',
  TRANSMITTED: 'yellow',
  ACCEPTED: 'green',
  REJECTED: 'red',
  FAILED: 'red',
  CANCELLED: 'dim',
}

export function styledStatus(status: Status, terminal: Terminal): string {
  return terminal.styled(styles[status], status)
}

export function statusText(status: InvoiceStatus, terminal: Terminal): string {
  const properties: Property[] = [
    ['reference', status.dgiReference],
    ['submitted', status.dgiSubmittedAt],
    ['accepted', status.dgiValidatedAt],
    ['rejected', status.dgiRejectedAt],
    ['reason', formatReason(status)],
  ]
  const lines = formatProperties(properties, terminal)
  return [styledStatus(status.status, terminal), ...lines, ...nextStep(status)].join('\n')
}

function formatReason({ dgiErrorCode, dgiErrorMessage }: InvoiceStatus): string | null {
  if (dgiErrorCode === null) return null
  return dgiErrorMessage === null ? dgiErrorCode : `${dgiErrorCode}: ${dgiErrorMessage}`
}

function nextStep({ status, id, dgiErrorCode }: InvoiceStatus): string[] {
  switch (status) {
    case 'PENDING':
      return [`This is a draft. To sign it: einvoicing sign ${id}`]
    case 'REJECTED':
      return [
        'A rejected invoice cannot be changed. Correct what the reason above names, and create a new invoice under a new number.',
      ]
    case 'FAILED':
      if (isNeverSent({ dgiErrorCode })) {
        return [
          'It was not sent and cannot be, because the invoice that it corrects was rejected. Issue a corrected invoice under a new number.',
        ]
      }
      if (dgiErrorCode === 'DOCUMENT_UNREADABLE') {
        return [
          `Contact the operator of the service. Once the document is restored: einvoicing resubmit ${id}`,
        ]
      }
      return [`There was no decision. To send it again: einvoicing resubmit ${id}`]
    default:
      return []
  }
}
