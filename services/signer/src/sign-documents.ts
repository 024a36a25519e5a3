import { noAnswer } from '@einvoicing/domain/api-error'
import type { Call, Service } from '@einvoicing/rpc/call'
import { toItemError } from '@einvoicing/rpc/item-error'
import { itemsMax } from '@einvoicing/rpc/message-size'
import { within } from '@einvoicing/runtime/deadline'
import type { Log } from '@einvoicing/runtime/log'
import { readTraceparent, toLogIds } from '@einvoicing/runtime/trace'
import { Invoice } from '@einvoicing/proto/invoice'
import type { DocumentToSign, SignerService, SigningResult } from '@einvoicing/proto/signer'

type Signer = Service<SignerService>

/** Each document has its own deadline. */
export function createSignDocuments(
  signDocument: Signer['signDocument'],
  log: Log,
): Signer['signDocuments'] {
  return async ({ documents }, call) => {
    if (documents.length > itemsMax.documents) {
      throw new Error(`more than ${itemsMax.documents} documents in one call`)
    }
    const begunAt = Date.now()
    const results = documents.map((document) => signOne(document, toCall(document, call, begunAt)))
    return { results: await Promise.all(results) }
  }

  async function signOne({ invoice }: DocumentToSign, call: Call): Promise<SigningResult> {
    const late = () => noAnswer('The signer', new Error('its request does not wait any more'))
    try {
      if (call.deadline <= Date.now()) throw late()
      const work = signDocument({ invoice: Invoice.decode(invoice) }, call)
      return { document: await within(call.deadline - Date.now(), work, late), error: undefined }
    } catch (error) {
      const logFields = { method: 'signer.signDocuments', ...toLogIds(call) }
      return { document: undefined, error: toItemError(error, logFields, log) }
    }
  }
}

function toCall(
  { timeoutMs, requestId, traceparent }: DocumentToSign,
  call: Call,
  begunAt: number,
): Call {
  const deadline = Math.min(call.deadline, begunAt + timeoutMs)
  return { ...call, requestId, span: readTraceparent(traceparent), deadline }
}
