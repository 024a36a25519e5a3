import { isBlank } from '@einvoicing/domain/xml-text'
import { toPaymentMeansCode } from '@einvoicing/profile/payment-methods'
import { texts } from '@einvoicing/profile/texts'
import type { Invoice, LegalMentions, PaymentMethod } from '@einvoicing/proto/invoice'
import { textElement } from './xml'

/** EN 16931 BG-16. */
export function paymentMeans(method: PaymentMethod, { rib }: LegalMentions): string {
  const hasAccount = !isBlank(rib)
  const code = toPaymentMeansCode(method, { hasAccount })
  const account = method === 'BANK_TRANSFER' && hasAccount ? financialAccount(rib) : ''
  return `<cac:PaymentMeans>${textElement('cbc:PaymentMeansCode', code)}${account}</cac:PaymentMeans>\n`
}

/** EN 16931 BT-20: BR-CO-25 requires terms of payment where there is no `cbc:DueDate`. */
export function paymentTerms({ dueDate }: Invoice): string {
  if (!isBlank(dueDate)) return ''
  return `<cac:PaymentTerms>${textElement('cbc:Note', texts.noDueDate)}</cac:PaymentTerms>\n`
}

function financialAccount(rib: string): string {
  return `<cac:PayeeFinancialAccount>${textElement('cbc:ID', rib)}</cac:PayeeFinancialAccount>`
}
