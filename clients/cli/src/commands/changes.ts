import type { Command } from 'commander'
import type { EinvoicingClient, Invoice } from '@einvoicing/client'
import { adviseIfInterrupted, type Action, type Run } from '../run'
import { escapeControls } from '../terminal'
import { styledStatus, awaitDecision } from '../decision'
import { findInvoiceId, invoiceArgument } from '../find-invoice'

interface Change {
  description: string
  make(client: EinvoicingClient, id: string): Promise<Invoice>
  clears: boolean
}

const changes: Record<string, Change> = {
  sign: {
    description: 'Sign a draft (PENDING) and start clearance.',
    make: (client, id) => client.sign(id),
    clears: true,
  },
  cancel: {
    description: 'Cancel a draft (PENDING). Its number cannot be reused.',
    make: (client, id) => client.cancel(id),
    clears: false,
  },
  resubmit: {
    description: 'Send a FAILED invoice to the tax authority again.',
    make: (client, id) => client.resubmit(id),
    clears: true,
  },
}

export function addChangeCommands(program: Command, action: Action): void {
  for (const [name, change] of Object.entries(changes)) {
    const command = program
      .command(name)
      .description(change.description)
      .addArgument(invoiceArgument())
      .action(
        action((run: Run, which: string, { wait }: { wait?: boolean }) =>
          act(run, which, { change, wait: wait ?? false }),
        ),
      )
    if (change.clears) command.option('--wait', 'wait until it is ACCEPTED, REJECTED or FAILED')
  }
}

async function act(
  run: Run,
  which: string,
  { change, wait }: { change: Change; wait: boolean },
): Promise<void> {
  const client = run.connect()
  const id = await findInvoiceId(client, which)
  const advice = `The change may have been made: see einvoicing status ${id}`
  const invoice = await adviseIfInterrupted(run, change.make(client, id), advice)
  const { terminal, isJson } = run
  if (!isJson) {
    const number = escapeControls(invoice.invoiceNumber)
    terminal.print(`${number} ${styledStatus(invoice.status, terminal)}`)
  }
  if (wait) await awaitDecision(run, client, invoice)
  else if (isJson) terminal.printJson(invoice)
}
