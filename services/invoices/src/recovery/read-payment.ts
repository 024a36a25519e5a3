import { findPaymentMethod } from '@einvoicing/profile/payment-methods'
import { texts } from '@einvoicing/profile/texts'
import type { PaymentAccount } from '@einvoicing/proto/invoice'
import { elementsAt, requiredText, textAt, type Element } from './element'

const account = 'PaymentMeans/PayeeFinancialAccount'

export function readPayment(root: Element) {
  const terms = textAt(root, 'PaymentTerms/Note')
  return {
    paymentMethod: readPaymentMethod(root),
    paymentReference: textAt(root, 'PaymentMeans/PaymentID'),
    paymentAccount: readAccount(root),
    paymentTerms: terms === texts.noDueDate ? undefined : terms,
  }
}

export const accountId = (root: Element): string | undefined => textAt(root, `${account}/ID`)

/** The document has no name or bank for a transfer to the issuer's RIB. */
export function isIssuersAccount(root: Element): boolean {
  return (
    readPaymentMethod(root) === 'BANK_TRANSFER' &&
    elementsAt(root, `${account}/Name`).length === 0 &&
    elementsAt(root, `${account}/FinancialInstitutionBranch`).length === 0 &&
    !isIban(accountId(root) ?? '')
  )
}

function readAccount(root: Element): PaymentAccount | undefined {
  const id = accountId(root)
  if (id === undefined || isIssuersAccount(root)) return undefined
  return {
    ...(isIban(id) ? { iban: id } : { rib: id }),
    bic: textAt(root, `${account}/FinancialInstitutionBranch/ID`),
    name: textAt(root, `${account}/Name`),
  }
}

const isIban = (id: string) => /^[A-Z]{2}/.test(id)

function readPaymentMethod(root: Element) {
  const code = requiredText(root, 'PaymentMeans/PaymentMeansCode')
  const method = findPaymentMethod(code)
  if (!method) throw new Error(`unknown payment means code in the document: ${code}`)
  return method
}
