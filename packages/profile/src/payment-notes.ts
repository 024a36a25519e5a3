/** Stamp duty and withheld VAT have no element: each is a note, read back by what it says. */

import { formatAmount } from '@einvoicing/domain/currency'

export interface PaymentAmounts {
  currency: string
  amountTtc: number
  amountDue?: number | undefined
  stampDutyAmount?: number | undefined
  vatWithheldAmount?: number | undefined
  amountAfterWithholding?: number | undefined
  vatWithholdingPercent?: number | undefined
}

export function writePaymentNotes(amounts: PaymentAmounts): string[] {
  return [writeStampDuty(amounts), writeWithholding(amounts)].filter((note) => note !== undefined)
}

function writeStampDuty(amounts: PaymentAmounts): string | undefined {
  const { currency, amountTtc, amountDue = amountTtc, stampDutyAmount: duty } = amounts
  if (duty === undefined) return undefined
  const format = (amount: number) => `${formatAmount(amount, currency)} ${currency}`
  return `Droit de timbre (0,25 %) : ${format(duty)} - Net à payer en espèces : ${format(amountDue + duty)}`
}

function writeWithholding(amounts: PaymentAmounts): string | undefined {
  const { currency, vatWithheldAmount, amountAfterWithholding, vatWithholdingPercent } = amounts
  if (vatWithheldAmount === undefined || amountAfterWithholding === undefined) return undefined
  const format = (amount: number) => `${formatAmount(amount, currency)} ${currency}`
  return `TVA retenue à la source (${vatWithholdingPercent} %) : ${format(vatWithheldAmount)} - Net à payer après retenue : ${format(amountAfterWithholding)}`
}

/** What the notes of a document say, before its amounts are known to be right. */
export function readPaymentNotes(notes: readonly string[]): {
  stampDuty: true | undefined
  vatWithholdingPercent: number | undefined
  others: readonly string[]
} {
  const others = [...notes]
  const withheld =
    /^TVA retenue à la source \((75|100) %\) : .* - Net à payer après retenue : /.exec(
      others.at(-1) ?? '',
    )
  if (withheld) others.pop()
  const isDuty = /^Droit de timbre \(0,25 %\) : .* - Net à payer en espèces : /
  const hasDuty = isDuty.test(others.at(-1) ?? '')
  if (hasDuty) others.pop()
  return {
    stampDuty: hasDuty || undefined,
    vatWithholdingPercent: withheld ? Number(withheld[1]) : undefined,
    others,
  }
}
