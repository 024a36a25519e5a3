/** The command that makes a first invoice: ready to be pasted, its number fresh each minute. */

export interface CurlOfFirstInvoice {
  /** Where this page came from is where the service is. */
  origin: string
  key: string
  today: Date
}

/** Of a buyer whom the sandbox accepts. */
const buyerIce = '001525713000074'

export function curlOfFirstInvoice({ origin, key, today }: CurlOfFirstInvoice): string {
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  const minute = [today.getHours(), today.getMinutes()]
    .map((part) => String(part).padStart(2, '0'))
    .join('')
  return `curl -s ${origin}/v1/invoices \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "invoiceNumber": "F-${day}-${minute}",
    "invoiceDate": "${day}",
    "currency": "MAD",
    "paymentMethod": "BANK_TRANSFER",
    "buyerName": "Atlas Distribution SARL",
    "buyerIce": "${buyerIce}",
    "lines": [
      { "lineNumber": 1, "description": "Conseil", "quantity": 1,
        "unitPrice": 4500, "vatRate": 20 }
    ]
  }'`
}
