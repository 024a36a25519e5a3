import type { AllowanceCharges, Invoice, InvoiceLine } from '@einvoicing/proto/invoice'
import { computeNet } from '@einvoicing/profile/payment-notes'
import { stampDutyPercent } from '@einvoicing/profile/vat'

export interface TotalRow {
  label: string
  amount: number
  isMain?: boolean
  isStrong?: boolean
}

export function totalRows(invoice: Invoice): TotalRow[] {
  const { amountHt, amountVat, amountTtc, lineTotalHt } = invoice
  const optional = (label: string, amount: number | undefined) =>
    amount ? [{ label, amount }] : []
  return [
    ...optional('Total des lignes', lineTotalHt),
    ...optional('Remises et déductions', invoice.allowanceTotal && -invoice.allowanceTotal),
    ...optional('Frais', invoice.chargeTotal),
    { label: 'Total HT', amount: amountHt },
    { label: 'Total TVA', amount: amountVat },
    { label: 'Total TTC', amount: amountTtc, isMain: true },
    ...paymentRows(invoice),
  ]
}

function paymentRows(invoice: Invoice): TotalRow[] {
  const { type, amountTtc, amountDue } = invoice
  const { stampDutyAmount: duty, vatWithheldAmount: withheld } = invoice
  const hasOneNet = duty !== undefined && withheld !== undefined
  const rows: TotalRow[] = []
  if (amountDue !== undefined) {
    rows.push({ label: 'Déjà réglé', amount: amountDue - amountTtc })
    if (!hasOneNet) rows.push({ ...computeNet({ type, amountTtc, amountDue }), isStrong: true })
  }
  if (duty !== undefined) {
    const label = `Droit de timbre (${stampDutyPercent.replace('.', ',')} %)`
    rows.push({ label, amount: duty })
  }
  if (withheld !== undefined) {
    const label = `TVA retenue à la source (${invoice.vatWithholdingPercent} %)`
    rows.push({ label, amount: -withheld })
  }
  if (duty === undefined && withheld === undefined) return rows
  return [...rows, { ...computeNet(invoice), isStrong: true }]
}

export interface Adjustment {
  text: string
  /** Minor units; negative for an allowance. */
  amount: number
}

export function listAdjustments(invoice: Adjusted): Adjustment[] {
  const write = (sent: AllowanceCharges | undefined, { label, own, sign }: Wording) =>
    (sent?.items ?? []).map(({ percent, reason, shares }) => {
      const rate = percent === undefined ? '' : ` (${percent.replace('.', ',')}\u00A0%)`
      const name = own.test(reason) ? reason : `${label} : ${reason}`
      const amount = shares.reduce((sum, share) => sum + share.amount, 0)
      return { text: name + rate, amount: sign * amount }
    })
  return [...write(invoice.allowances, allowance), ...write(invoice.charges, charge)]
}

interface Wording {
  label: string
  /** A reason that needs no label. */
  own: RegExp
  sign: 1 | -1
}

const allowance: Wording = {
  label: 'Remise',
  own: /^(remise|rabais|ristourne|escompte|acompte|déduction|avoir)/i,
  sign: -1,
}
const charge: Wording = { label: 'Frais', own: /^frais/i, sign: 1 }

type Adjusted = Pick<InvoiceLine, 'allowances' | 'charges'>
