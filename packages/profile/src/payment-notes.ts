/** Stamp duty, withheld VAT and a correction reason have no element: each is a note. */

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

type FormatAmount = (minorUnits: number, currency: string) => string

/** `formatNumber`: by default as the document writes it. */
export function writePaymentNotes(
  amounts: PaymentAmounts,
  formatNumber: FormatAmount = formatAmount,
): string[] {
  const format = (amount: number) => `${formatNumber(amount, amounts.currency)} ${amounts.currency}`
  const notes = [writeStampDuty(amounts, format), writeWithholding(amounts, format)]
  return notes.filter((note) => note !== undefined)
}

type Format = (amount: number) => string

function writeStampDuty(amounts: PaymentAmounts, format: Format): string | undefined {
  const { amountTtc, amountDue = amountTtc, stampDutyAmount: duty } = amounts
  if (duty === undefined) return undefined
  return `Droit de timbre (0,25 %) : ${format(duty)} - Net à payer en espèces : ${format(amountDue + duty)}`
}

function writeWithholding(amounts: PaymentAmounts, format: Format): string | undefined {
  const { vatWithheldAmount, amountAfterWithholding, vatWithholdingPercent } = amounts
  if (vatWithheldAmount === undefined || amountAfterWithholding === undefined) return undefined
  return `TVA retenue à la source (${vatWithholdingPercent} %) : ${format(vatWithheldAmount)} - Net à payer après retenue : ${format(amountAfterWithholding)}`
}

const reasonPrefix = "Motif de l'avoir : "

export function writeCorrectionReason(reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : reasonPrefix + reason
}

/** The last note that is not a payment note. */
export function readCorrectionReason(notes: readonly string[]): {
  correctionReason: string | undefined
  others: readonly string[]
} {
  const last = notes.at(-1)
  if (!last?.startsWith(reasonPrefix)) return { correctionReason: undefined, others: notes }
  return { correctionReason: last.slice(reasonPrefix.length), others: notes.slice(0, -1) }
}

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
