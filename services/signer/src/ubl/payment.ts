import { isBlank } from '@einvoicing/domain/xml-text'
import type { DocumentKind } from '@einvoicing/profile/document-kinds'
import { toPaymentMeansCode } from '@einvoicing/profile/payment-methods'
import { texts } from '@einvoicing/profile/texts'
import type { Invoice, LegalMentions, PaymentAccount } from '@einvoicing/proto/invoice'
import { optionalTextElement, textElement } from './xml'

/** EN 16931 BG-16. */
export function paymentMeans(
  invoice: Invoice,
  { rib }: LegalMentions,
  { hasDueDate }: DocumentKind,
): string {
  const { paymentMethod: method, paymentAccount, paymentReference } = invoice
  const byDefault = isBlank(rib) || method !== 'BANK_TRANSFER' ? undefined : { rib }
  const account = paymentAccount ?? byDefault
  const code = toPaymentMeansCode(method, { hasAccount: account !== undefined })
  const dueDate = hasDueDate ? undefined : invoice.dueDate
  return (
    `<cac:PaymentMeans>${textElement('cbc:PaymentMeansCode', code)}` +
    optionalTextElement('cbc:PaymentDueDate', dueDate) +
    optionalTextElement('cbc:PaymentID', paymentReference) +
    `${account ? financialAccount(account) : ''}</cac:PaymentMeans>\n`
  )
}

/** EN 16931 BT-20: BR-CO-25 requires terms of payment where there is no due date. */
export function paymentTerms({ dueDate, paymentTerms: terms }: Invoice): string {
  if (isBlank(terms) && !isBlank(dueDate)) return ''
  const note = isBlank(terms) ? texts.noDueDate : terms
  return `<cac:PaymentTerms>${textElement('cbc:Note', note)}</cac:PaymentTerms>\n`
}

function financialAccount({ rib, iban, bic, name }: PaymentAccount): string {
  const branch = isBlank(bic)
    ? ''
    : `<cac:FinancialInstitutionBranch>${textElement('cbc:ID', bic)}</cac:FinancialInstitutionBranch>`
  return (
    '<cac:PayeeFinancialAccount>' +
    optionalTextElement('cbc:ID', iban ?? rib) +
    optionalTextElement('cbc:Name', name) +
    `${branch}</cac:PayeeFinancialAccount>`
  )
}
