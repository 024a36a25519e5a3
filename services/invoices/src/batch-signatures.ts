import { serviceCaller } from '@einvoicing/rpc/caller'
import { BatchedCalls, type Batched } from '@einvoicing/rpc/batched-calls'
import type { Service } from '@einvoicing/rpc/call'
import { sendTogether, settleItem } from '@einvoicing/rpc/item-error'
import { itemsMax } from '@einvoicing/rpc/message-size'
import { toTraceparent } from '@einvoicing/runtime/trace'
import { Invoice } from '@einvoicing/proto/invoice'
import type { DocumentToSign, SignedDocument, SignerService } from '@einvoicing/proto/signer'

type Signer = Service<SignerService>

class Draft {
  readonly invoice: Invoice
  private encoded: Buffer | undefined

  constructor(invoice: Invoice) {
    this.invoice = invoice
  }

  encode(): Buffer {
    return (this.encoded ??= Buffer.from(Invoice.encode(this.invoice).finish()))
  }
}

const options = {
  what: 'The service',
  bytesOf: (draft: Draft) => draft.encode().length,
  itemsMax: itemsMax.documents,
  // A document is up to twenty times its message, and an answer is at most `rpcMessageBytes`.
  bytesMax: 512 * 1024,
  waitingMax: 1_000,
  callsAtOnce: 2,
  slowAfterMs: 100,
} as const

export function batchSignatures(signer: Signer): Signer {
  const send = sendTogether<Draft, SignedDocument>({
    one: ({ invoice }, call) => signer.signDocument({ invoice }, call),
    async several(batch, call) {
      const caller = serviceCaller('invoices')
      const documents = batch.map(toDocument)
      const { results } = await signer.signDocuments({ documents }, { ...call, caller })
      return results.map(({ document, error }) => settleItem(document, error))
    },
  })
  const calls = new BatchedCalls(send, options)
  return {
    ...signer,
    async signDocument({ invoice }, call) {
      if (!invoice) throw new Error('signDocument was called without an invoice')
      return calls.add(new Draft(invoice), call)
    },
  }
}

function toDocument({ item, call }: Batched<Draft>): DocumentToSign {
  return {
    invoice: item.encode(),
    timeoutMs: Math.max(0, Math.round(call.deadline - Date.now())),
    requestId: call.requestId,
    traceparent: toTraceparent(call.span),
  }
}
