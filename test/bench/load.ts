/** Posts invoices, each under a number of its own, over kept-alive connections (autocannon). */

import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'

export interface Target {
  url: string
  key: string
}

export interface Load {
  /** Answers 201, each second. */
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** One answer's body. */
  answer: string
}

export const connections = 32
export const lineCount = 20

/** Throws when any answer is not 201: a figure made of errors is no figure. */
export async function postInvoices({ url, key }: Target, seconds: number): Promise<Load> {
  const run = randomUUID().slice(0, 8)
  let sent = 0
  let answer = ''
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    requests: [
      {
        setupRequest(request) {
          sent += 1
          return { ...request, body: invoiceText(`B-${run}-${sent}`) }
        },
        onResponse(_status, body) {
          answer = body
        },
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} refused, ${result.errors} broken; the last said ${answer}`)
  }
  return {
    perSecond: Math.round(result['2xx'] / result.duration),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    answer,
  }
}

const lines = Array.from({ length: lineCount }, (_, index) => ({
  lineNumber: index + 1,
  description: `Prestation de conseil, phase ${index + 1}, à Casablanca`,
  quantity: 1.5,
  unitPrice: 450.5,
  vatRate: 20,
  unit: 'jour',
}))

function invoiceText(invoiceNumber: string): string {
  return JSON.stringify({
    invoiceNumber,
    invoiceDate: '2026-01-31',
    currency: 'MAD',
    paymentMethod: 'BANK_TRANSFER',
    buyerName: 'Société Exemple SARL',
    buyerAddress: '1, avenue Hassan II, Rabat',
    dueDate: '2026-03-02',
    lines,
  })
}
