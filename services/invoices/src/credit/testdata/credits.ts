/** Invoices by the service, in one or two processes, and what tests of credit notes ask of them. */

import { randomUUID } from 'node:crypto'
import { openInProcessBus } from '@einvoicing/events/in-process/in-process-bus'
import type { EventData, EventType, InvoiceEvent } from '@einvoicing/events/event'
import { isDecided } from '@einvoicing/domain/invoice-status'
import { createLog } from '@einvoicing/runtime/log'
import type { Invoice, InvoiceContent } from '@einvoicing/proto/invoice'
import { openInvoices, type Invoices } from '../../service'
import type { InvoicesConfig } from '../../config'
import { call, content, untilHolds, issuer, neighbours } from '../../testdata/neighbours'

const log = createLog('silent')
const fail = (error: Error): never => {
  throw error
}

export interface Under {
  invoices: Invoices[]
  published: InvoiceEvent[]
  signatures(): number
  publish<T extends EventType>(type: T, invoice: Invoice, data: EventData[T]): Promise<void>
  close(): Promise<void>
}

export async function start(configs: readonly InvoicesConfig[]): Promise<Under> {
  const bus = openInProcessBus(log)
  const published: InvoiceEvent[] = []
  bus.subscribe('invoice.signed', { name: 'clearance', inFlightMax: 8 }, async (event) => {
    published.push(event)
  })
  const around = neighbours()
  const given = { ...around, bus, now: () => new Date(), log, fail }
  const invoices = [await openInvoices(configs[0]!, given)]
  for (const config of configs.slice(1)) {
    const silent = { ...openInProcessBus(log), publish: bus.publish }
    invoices.push(await openInvoices(config, { ...given, bus: silent }))
  }
  return {
    invoices,
    published,
    signatures: around.signatures,
    publish: (type, invoice, data) =>
      bus.publish({
        specversion: '1.0',
        id: randomUUID(),
        source: 'clearance',
        type,
        time: new Date().toISOString(),
        subject: invoice.id,
        organizationid: invoice.organizationId,
        data,
      }),
    async close() {
      await bus.close()
      for (const each of invoices) await each.close()
    },
  }
}

const decidedAt = '2026-05-03T10:00:00.000Z'
export const accepted = {
  submissionId: 's',
  reference: 'R',
  qrCode: 'q',
  qrPayload: 'p',
  decidedAt,
  answer: '{}',
}
export const rejected = {
  submissionId: 's',
  errorCode: 'BUYER_UNKNOWN',
  errorMessage: 'no',
  decidedAt,
  answer: '{}',
}

export const line = (unitPrice: string, vatRate = 20) => ({
  lineNumber: 1,
  description: 'a',
  quantity: '1',
  unitPrice,
  vatRate,
})

export type Credits = ReturnType<typeof createCredits>

export function createCredits(under: () => Under) {
  const handlers = (process = 0) => under().invoices[process % under().invoices.length]!.handlers
  const create = (fields: Partial<InvoiceContent> = {}, draft = false, process = 0) => {
    const newerContent = content(fields)
    return handlers(process).createInvoice(
      { issuer, draft, content: undefined, newerContent },
      call(),
    )
  }
  const get = (id: string) => handlers().getInvoice({ invoiceId: id }, call())
  const note = (
    originals: readonly Invoice[],
    fields: Partial<InvoiceContent> = {},
  ): Partial<InvoiceContent> => ({
    type: 'CREDIT_NOTE',
    precedingInvoices: { items: originals.map(({ id }) => ({ id })) },
    correctionReason: 'Retour',
    lines: [line('1000')],
    ...fields,
  })
  const decide = async <T extends 'clearance.accepted' | 'clearance.rejected'>(
    type: T,
    invoice: Invoice,
    data: EventData[T],
  ) => {
    await under().publish(type, invoice, data)
    await untilHolds(
      () => get(invoice.id),
      ({ status }) => isDecided(status),
    )
  }
  const original = async (fields: Partial<InvoiceContent> = {}, isAccepted = true) => {
    const lines = [line('9000'), { ...line('120.50', 14), lineNumber: 2 }]
    const invoice = await create({ lines, buyerName: 'Rif', ...fields })
    if (isAccepted) await decide('clearance.accepted', invoice, accepted)
    return get(invoice.id)
  }
  const wasSent = ({ id }: Invoice) => under().published.some(({ subject }) => subject === id)
  const readCode = async (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    )

  return { handlers, create, get, note, decide, original, wasSent, readCode }
}
