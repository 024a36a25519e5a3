import { verifyAudit } from '@einvoicing/invoices/commands/verify-audit'
import { withInvoiceStore } from './invoice-store'
import type { Shell } from './shell'

/** Exit status 1 when a chain is broken, or the organization has none. */
export function verify(shell: Shell, organization?: string): Promise<number> {
  return withInvoiceStore(shell, async (store) => {
    let [chains, broken] = [0, 0]
    for await (const found of verifyAudit(store, organization)) {
      chains += 1
      const { organizationId, problem, seq } = found
      if (problem === undefined) continue
      broken += 1
      shell.print(`${organizationId}, entry ${seq}: ${problem}`, found)
    }
    if (organization !== undefined && chains === 0) {
      shell.note(`${organization} has no chain: it has no entry, or the id is wrong`)
      return 1
    }
    shell.print(`${chains} chains verified, ${broken} broken`, { chains, broken })
    return broken > 0 ? 1 : 0
  })
}
