/** Waiting for the tax authority, and what it said. */

import type { EinvoicingClient, InvoiceStatus, Status } from '@einvoicing/client'
import { exitCodes } from './outcome'
import type { Run } from './run'
import { factLines, type Fact } from './table'
import type { Style, Terminal } from './terminal'

/** Prints the whole invoice in JSON; ends with 1 where it was not accepted. */
export async function tellVerdict(run: Run, client: EinvoicingClient, id: string): Promise<void> {
  const { terminal, isJson } = run
  const onStatus = ({ status }: InvoiceStatus) => terminal.showProgress(`${status}…`)
  const final = await client.waitUntilFinal(id, { onStatus })
  if (isJson) terminal.printJson(await client.get(id))
  else terminal.print(statusText(final, terminal))
  if (final.status !== 'ACCEPTED') run.endWith(exitCodes.refused)
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

/** What a person wants to know of it, in lines. */
export function statusText(status: InvoiceStatus, terminal: Terminal): string {
  const facts: Fact[] = [
    ['reference', status.dgiReference],
    ['submitted', status.dgiSubmittedAt],
    ['accepted', status.dgiValidatedAt],
    ['rejected', status.dgiRejectedAt],
    ['because', reasonOf(status)],
  ]
  const told = factLines(facts, terminal)
  return [styledStatus(status.status, terminal), ...told, ...nextStep(status)].join('\n')
}

function reasonOf({ dgiErrorCode, dgiErrorMessage }: InvoiceStatus): string | null {
  if (dgiErrorCode === null) return null
  return dgiErrorMessage === null ? dgiErrorCode : `${dgiErrorCode}: ${dgiErrorMessage}`
}

function nextStep({ status, id }: InvoiceStatus): string[] {
  switch (status) {
    case 'PENDING':
      return [`A draft. To sign it: einvoicing sign ${id}`]
    case 'REJECTED':
      return ['It stays rejected: mend what the reason says, and create it under a new number.']
    case 'FAILED':
      return [`The platform was not reached. To send it again: einvoicing resubmit ${id}`]
    default:
      return []
  }
}
