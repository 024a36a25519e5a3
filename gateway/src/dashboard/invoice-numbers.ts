import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { InvoiceNumber, InvoicesService } from '@einvoicing/proto/invoices'
import type { Call, Service } from '@einvoicing/rpc/call'
import { isUnimplemented } from '@einvoicing/rpc/status'

export class InvoiceNumbers {
  private readonly known = new Map<string, string | null>()
  private readonly invoices: Service<InvoicesService>
  private readonly createCall: () => Call

  constructor(invoices: Service<InvoicesService>, createCall: () => Call) {
    this.invoices = invoices
    this.createCall = createCall
  }

  /** Of at most 100 entries; null without an invoice, or while the invoices service is older. */
  async find(entries: readonly AuditEntry[]): Promise<(string | null)[]> {
    const ids = new Set(entries.flatMap(({ invoiceId }) => invoiceId ?? []))
    await this.read([...ids].filter((id) => !this.known.has(id)))
    return entries.map(({ invoiceId = '' }) => this.known.get(invoiceId) ?? null)
  }

  private async read(invoiceIds: string[]): Promise<void> {
    if (invoiceIds.length === 0) return
    const numbers = await this.request(invoiceIds)
    for (const id of invoiceIds) this.known.set(id, null)
    for (const { invoiceId, invoiceNumber } of numbers) this.known.set(invoiceId, invoiceNumber)
  }

  private async request(invoiceIds: string[]): Promise<InvoiceNumber[]> {
    try {
      return (await this.invoices.readNumbers({ invoiceIds }, this.createCall())).numbers
    } catch (error) {
      if (isUnimplemented(error)) return []
      throw error
    }
  }
}
