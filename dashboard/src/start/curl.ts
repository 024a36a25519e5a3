import type { NewInvoice } from '../api/invoice'

export interface CurlOptions {
  origin: string
  key: string
  today: Date
}

// A buyer that the sandbox accepts.
const buyerIce = '001525714000070'

export function createSample(today: Date): NewInvoice {
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map(twoDigits).join('-')
  const minute = [today.getHours(), today.getMinutes()].map(twoDigits).join('')
  return {
    invoiceNumber: `F-${day}-${minute}`,
    invoiceDate: day,
    currency: 'MAD',
    paymentMethod: 'BANK_TRANSFER',
    buyerName: 'Atlas Distribution SARL',
    buyerIce,
    lines: [{ lineNumber: 1, description: 'Conseil', quantity: 1, unitPrice: 4500, vatRate: 20 }],
  }
}

const twoDigits = (part: number) => String(part).padStart(2, '0')

export function buildCurl({ origin, key, today }: CurlOptions): string {
  const body = JSON.stringify(createSample(today), null, 2).replaceAll('\n', '\n  ')
  return `curl -s ${origin}/v1/invoices \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'`
}
