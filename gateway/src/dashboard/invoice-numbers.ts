import { ApiError } from '@einvoicing/domain/api-error'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { Call, Service } from '@einvoicing/rpc/call'

export class InvoiceNumbers {
  private readonly known = new Map<string, Promise<string | null>>()
  private readonly invoices: Service<InvoicesService>
  private readonly createCall: () => Call

  constructor(invoices: Service<InvoicesService>, createCall: () => Call) {
    this.invoices = invoices
    this.createCall = createCall
  }

  /** In the order of the entries; null without an invoice, or for an unknown one. */
  find(entries: readonly AuditEntry[]): Promise<(string | null)[]> {
    const call = this.createCall()
    return Promise.all(entries.map(({ invoiceId }) => this.findOne(invoiceId, call)))
  }

  private async findOne(invoiceId: string | undefined, call: Call): Promise<string | null> {
    if (invoiceId === undefined) return null
    const known = this.known.get(invoiceId) ?? this.read(invoiceId, call)
    this.known.set(invoiceId, known)
    return known
  }

  private async read(invoiceId: string, call: Call): Promise<string | null> {
    try {
      return (await this.invoices.getInvoice({ invoiceId }, call)).invoiceNumber
    } catch (error) {
      if (error instanceof ApiError && error.code === 'INVOICE_NOT_FOUND') return null
      throw error
    }
  }
}
