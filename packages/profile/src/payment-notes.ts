/** Stamp duty, withheld VAT and a correction reason have no element: each is a note. */

import { formatAmount } from '@einvoicing/domain/currency'
import { readKind } from './document-kinds'
import { vatWithholdingPercents } from './vat'

export interface PaymentAmounts {
  type?: string | undefined
  currency: string
  amountTtc: number
  amountDue?: number | undefined
  stampDutyAmount?: number | undefined
  vatWithheldAmount?: number | undefined
  vatWithholdingPercent?: number | undefined
}

/** What is left to pay or to credit, in minor units. Decision 0162. */
export function computeNet(amounts: Omit<PaymentAmounts, 'currency'>) {
  const { amountTtc, amountDue = amountTtc } = amounts
  const { stampDutyAmount: duty, vatWithheldAmount: withheld } = amounts
  const inCash = duty === undefined ? '' : ' en espèces'
  const after = withheld === undefined ? '' : ' après retenue'
  const purpose = readKind(amounts).isPaid ? 'à payer' : 'à créditer'
  return {
    label: `Net ${purpose}${inCash}${after}`,
    amount: amountDue + (duty ?? 0) - (withheld ?? 0),
  }
}

export function writePaymentNotes(amounts: PaymentAmounts): string[] {
  const { currency, stampDutyAmount: duty, vatWithheldAmount: withheld } = amounts
  const format = (amount: number) => `${formatAmount(amount, currency)} ${currency}`
  const notes: string[] = []
  if (duty !== undefined) notes.push(`Droit de timbre (0,25 %) : ${format(duty)}`)
  if (withheld !== undefined) {
    notes.push(`TVA retenue à la source (${amounts.vatWithholdingPercent} %) : ${format(withheld)}`)
  }
  const last = notes.pop()
  if (last === undefined) return []
  const net = computeNet(amounts)
  return [...notes, `${last} - ${net.label} : ${format(net.amount)}`]
}

/** Before decision 0162 each note of two had a net of its own. */
function writeFormerNotes(amounts: PaymentAmounts): string[] {
  return [
    ...writePaymentNotes({ ...amounts, vatWithheldAmount: undefined }),
    ...writePaymentNotes({ ...amounts, stampDutyAmount: undefined }),
  ]
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

export interface StatedPayment {
  stampDuty: true | undefined
  vatWithholdingPercent: number | undefined
}

const statements = ([true, undefined] as const).flatMap((stampDuty) =>
  [...vatWithholdingPercents, undefined].map((vatWithholdingPercent): StatedPayment => ({
    stampDuty,
    vatWithholdingPercent,
  })),
)

/** A client's own note may look like one of ours: the amounts computed must give the same. */
export function readPaymentNotes(
  notes: readonly string[],
  compute: (stated: StatedPayment) => PaymentAmounts,
): StatedPayment & { others: readonly string[] } {
  const mayState = / - Net à (payer|créditer) /.test(notes.at(-1) ?? '')
  for (const stated of mayState ? statements : []) {
    const amounts = compute(stated)
    // Credit notes, too, said "à payer" before decision 0177.
    const former = { ...amounts, type: undefined }
    const wordings = [writePaymentNotes(amounts), writePaymentNotes(former)]
    for (const written of [...wordings, writeFormerNotes(former)]) {
      const others = notes.slice(0, notes.length - written.length)
      const isSame = JSON.stringify([...others, ...written]) === JSON.stringify(notes)
      if (written.length > 0 && isSame) return { ...stated, others }
    }
  }
  return { stampDuty: undefined, vatWithholdingPercent: undefined, others: notes }
}
