import type {
  AllowanceCharge,
  AllowanceCharges,
  AllowanceChargeShare,
  Invoice,
  InvoiceLine,
} from '@einvoicing/proto/invoice'
import { amountElement } from './amount'
import { taxCategory } from './tax'
import { optionalTextElement, textElement } from './xml'

type Adjusted = Pick<InvoiceLine, 'allowances' | 'charges'>

/** EN 16931 BG-20, BG-21: one element for each VAT category and rate. */
export function documentAllowanceCharges(invoice: Invoice): string {
  return writeAll(invoice, invoice.currency, ({ vatCategory, vatRate }) =>
    taxCategory('cac:TaxCategory', { vatCategory, vatRate }, ''),
  )
    .map((element) => `${element}\n`)
    .join('')
}

/** EN 16931 BG-27, BG-28. */
export function lineAllowanceCharges(line: InvoiceLine, currency: string): string {
  return writeAll(line, currency, () => '').join('')
}

type WriteTax = (share: AllowanceChargeShare) => string

function writeAll({ allowances, charges }: Adjusted, currency: string, writeTax: WriteTax) {
  const write = (sent: AllowanceCharges | undefined, isCharge: boolean) =>
    (sent?.items ?? []).flatMap((item) =>
      item.shares.map((share) => writeOne({ item, share, isCharge, currency }, writeTax)),
    )
  return [...write(allowances, false), ...write(charges, true)]
}

interface One {
  item: AllowanceCharge
  share: AllowanceChargeShare
  isCharge: boolean
  currency: string
}

function writeOne({ item, share, isCharge, currency }: One, writeTax: WriteTax): string {
  const { percent, reason, reasonCode } = item
  const base =
    percent === undefined ? '' : amountElement('cbc:BaseAmount', share.baseAmount, currency)
  return (
    `<cac:AllowanceCharge><cbc:ChargeIndicator>${isCharge}</cbc:ChargeIndicator>` +
    optionalTextElement('cbc:AllowanceChargeReasonCode', reasonCode) +
    textElement('cbc:AllowanceChargeReason', reason) +
    optionalTextElement('cbc:MultiplierFactorNumeric', percent) +
    amountElement('cbc:Amount', share.amount, currency) +
    `${base}${writeTax(share)}</cac:AllowanceCharge>`
  )
}
