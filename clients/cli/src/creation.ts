import type { CreatedInvoice, EinvoicingClient } from '@einvoicing/client'
import { amountText } from './amounts'
import { awaitDecision, styledStatus } from './decision'
import { UsageError } from './outcome'
import type { Run } from './run'
import { escapeControls } from './terminal'

export interface CreationOptions {
  draft?: boolean
  wait?: boolean
  acceptExisting?: boolean
}

export function rejectWaitForDraft({ draft, wait }: CreationOptions): void {
  if (!draft || !wait) return
  throw new UsageError('A draft is not sent to the tax authority: use --draft or --wait, not both.')
}

export function mayExist(document: 'invoice' | 'credit note'): string {
  return `The ${document} may have been created. Run the same command with --accept-existing to find out.`
}

interface Creation {
  client: EinvoicingClient
  created: CreatedInvoice
  wait: boolean
}

export async function reportCreated(run: Run, { client, created, wait }: Creation): Promise<void> {
  const { id, invoiceNumber, status, amountTtc, currency } = created
  if (!run.isJson) {
    const amount = amountText(amountTtc, currency)
    const styled = styledStatus(status, run.terminal)
    run.terminal.print(
      `${escapeControls(invoiceNumber)} ${styled}, ${amount} including VAT\nid ${id}`,
    )
  }
  if (wait) await awaitDecision(run, client, created)
  else if (run.isJson) run.terminal.printJson(created)
}
