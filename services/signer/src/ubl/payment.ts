/** How and when the buyer pays (EN 16931 BG-16, BT-20); codes are UNTDID 4461. */

import type { Invoice, LegalMentions, PaymentMethod } from '@einvoicing/proto/invoice'
import { wording } from './profile'
import { isBlank, textElement } from './xml'

const instrumentNotDefined = '1'
const creditTransfer = '30'
const paymentToBankAccount = '42'

const codeByMethod: Record<PaymentMethod, string> = {
  PAYMENT_METHOD_UNSPECIFIED: instrumentNotDefined,
  BANK_TRANSFER: creditTransfer,
  CASH: '10',
  CHECK: '20',
  CARD: '48',
  OTHER: instrumentNotDefined,
}

export function paymentMeans(method: PaymentMethod, { rib }: LegalMentions): string {
  const account = method === 'BANK_TRANSFER' && !isBlank(rib) ? financialAccount(rib) : ''
  return `<cac:PaymentMeans>${textElement('cbc:PaymentMeansCode', meansCode(method, account))}${account}</cac:PaymentMeans>\n`
}

/**
 * A payment due some day needs that day or terms (BR-CO-25); the day itself stands in
 * `cbc:DueDate`.
 */
export function paymentTerms({ dueDate }: Invoice): string {
  if (!isBlank(dueDate)) return ''
  return `<cac:PaymentTerms>${textElement('cbc:Note', wording.noDueDate)}</cac:PaymentTerms>\n`
}

// A credit transfer must name the account (BR-61).
function meansCode(method: PaymentMethod, account: string): string {
  const code = codeByMethod[method]
  return code === creditTransfer && account === '' ? paymentToBankAccount : code
}

function financialAccount(rib: string): string {
  return `<cac:PayeeFinancialAccount>${textElement('cbc:ID', rib)}</cac:PayeeFinancialAccount>`
}
