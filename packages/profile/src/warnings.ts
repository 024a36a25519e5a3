/** Valid values that may be mistakes. */

import { hasCheckKey } from './bank-account'
import { isAbroad } from './countries'

export interface Warning {
  code: 'RIB_CHECK_KEY' | 'BUYER_ICE_MISSING' | 'ICE_CHECK_KEY' | 'DUE_DATE_OVER_120_DAYS'
  field: string
  message: string
}

interface Warned {
  invoiceDate: string
  dueDate?: string | undefined
  buyerIce?: string | undefined
  buyerName?: string | undefined
  buyerCountry?: string | undefined
  buyerType?: string | undefined
  paymentAccount?: { rib?: string | undefined } | undefined
}

const dayMs = 24 * 60 * 60_000
const daysMax = 120

export function findWarnings(invoice: Warned): Warning[] {
  const { invoiceDate, dueDate, buyerIce, buyerName, buyerCountry, paymentAccount } = invoice
  const warnings: Warning[] = []
  const warn = (code: Warning['code'], field: string, message: string) =>
    warnings.push({ code, field, message })
  const rib = paymentAccount?.rib
  if (rib !== undefined && !hasCheckKey(rib)) {
    warn(
      'RIB_CHECK_KEY',
      'paymentAccount.rib',
      `the key of ${rib} is wrong: compare it with the bank's`,
    )
  }
  if (buyerIce !== undefined && !hasCheckKey(buyerIce)) {
    warn('ICE_CHECK_KEY', 'buyerIce', `the last two digits of ${buyerIce} are not its key`)
  }
  if (invoice.buyerType === 'CONSUMER') return warnings
  if (buyerIce === undefined && buyerName !== undefined && !isAbroad(buyerCountry)) {
    warn(
      'BUYER_ICE_MISSING',
      'buyerIce',
      'a company in Morocco has an ICE and needs it to deduct VAT',
    )
  }
  if (dueDate !== undefined && Date.parse(dueDate) - Date.parse(invoiceDate) > daysMax * dayMs) {
    warn(
      'DUE_DATE_OVER_120_DAYS',
      'dueDate',
      `law 69-21 allows at most ${daysMax} days between companies`,
    )
  }
  return warnings
}
