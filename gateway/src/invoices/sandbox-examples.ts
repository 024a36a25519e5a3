// A copy of the simulator's table; a test compares the two.

interface MagicBuyer {
  what: string
  final: string
}

const rejected = (code: string): MagicBuyer => ({ what: code, final: 'REJECTED' })
const accepted = (what: string): MagicBuyer => ({ what, final: 'ACCEPTED' })

export const magicBuyers: Readonly<Record<string, MagicBuyer>> = {
  '000000000000101': rejected('BUYER_UNKNOWN'),
  '000000000000102': rejected('ISSUER_UNKNOWN'),
  '000000000000103': rejected('ISSUER_SUSPENDED'),
  '000000000000104': rejected('PERIOD_CLOSED'),
  '000000000000105': rejected('DUPLICATE_INVOICE'),
  '000000000000106': rejected('INVALID_SIGNATURE'),
  '000000000000107': rejected('UNTRUSTED_CERTIFICATE'),
  '000000000000108': rejected('INVALID_XML'),
  '000000000000109': rejected('AMOUNT_MISMATCH'),
  '000000000000110': rejected('INVALID_DATE'),
  '000000000000111': rejected('INVALID_ISSUER'),
  '000000000000112': rejected('INVALID_BUYER'),
  '000000000000113': rejected('PROCESSING_ERROR'),
  '000000000000114': accepted('its credit notes are rejected: INVALID_REFERENCE'),
  '000000000000115': accepted('its credit notes are rejected: CREDIT_EXCEEDS_INVOICE'),
  '000000000000201': accepted('the decision comes after 10 seconds'),
  '000000000000202': { what: 'no decision comes: TRANSMITTED for a day', final: 'FAILED' },
  '000000000000203': accepted("the platform's first answer is 5 seconds late"),
  '000000000000401': accepted('the platform first answers 401'),
  '000000000000409': accepted('the platform first answers 409, though it stored the submission'),
  '000000000000413': accepted('the platform first answers 413'),
  '000000000000422': accepted('the platform first answers 422, though it stored the submission'),
  '000000000000429': accepted('the platform first answers 429'),
  '000000000000500': accepted('the platform first answers 500'),
  '000000000000502': accepted('the platform first answers 502'),
  '000000000000503': accepted('the platform first answers 503'),
  '000000000000504': accepted('the platform first answers 504'),
  '000000000000601': accepted('the connection of the first submission is cut before it arrives'),
  '000000000000602': accepted('the first answer is lost after the platform stored the submission'),
  '000000000000603': accepted('the platform first answers with HTML'),
  '000000000000901': {
    what: 'the connection of every submission is cut',
    final: 'FAILED, after a day',
  },
  '000000000000903': {
    what: 'the platform answers every submission with 503',
    final: 'FAILED, after a day',
  },
}

export function sandboxInvoices<Invoice extends object>(invoice: Invoice) {
  return Object.fromEntries(
    Object.keys(magicBuyers).map((buyerIce) => [
      toExampleName(buyerIce),
      { ...invoice, invoiceNumber: `F-2026-9${lastDigits(buyerIce)}`, buyerIce },
    ]),
  )
}

export const sandboxSummaries: Record<string, string> = Object.fromEntries(
  Object.entries(magicBuyers).map(([buyerIce, { what, final }]) => [
    toExampleName(buyerIce),
    `Sandbox, buyer …${lastDigits(buyerIce)}: ${what}; ends ${final}`,
  ]),
)

function toExampleName(buyerIce: string): string {
  return `sandbox${lastDigits(buyerIce)}`
}

function lastDigits(buyerIce: string): string {
  return buyerIce.slice(-3)
}
