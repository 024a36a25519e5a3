export interface CurlOptions {
  /** Of this page, which is also the service's. */
  origin: string
  key: string
  today: Date
}

// A buyer that the sandbox accepts.
const buyerIce = '001525713000074'

export function buildCurl({ origin, key, today }: CurlOptions): string {
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
