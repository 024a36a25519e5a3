export const paymentMethods = ['BANK_TRANSFER', 'CASH', 'CHECK', 'CARD', 'OTHER'] as const

export type PaymentMethod = (typeof paymentMethods)[number]

type WirePaymentMethod = PaymentMethod | 'PAYMENT_METHOD_UNSPECIFIED'

interface PaymentMeans {
  /** UNTDID 4461 (BT-81). */
  code: string
  /** When the code requires an account (BR-61) and the seller has none. */
  codeWithoutAccount?: string
  french: string
}

const instrumentNotDefined = '1'

const meansByMethod: Readonly<Record<WirePaymentMethod, PaymentMeans>> = {
  BANK_TRANSFER: { code: '30', codeWithoutAccount: '42', french: 'Virement bancaire' },
  CASH: { code: '10', french: 'Espèces' },
  CHECK: { code: '20', french: 'Chèque' },
  CARD: { code: '48', french: 'Carte bancaire' },
  OTHER: { code: instrumentNotDefined, french: 'Autre moyen de paiement' },
  PAYMENT_METHOD_UNSPECIFIED: { code: instrumentNotDefined, french: 'Non précisé' },
}

const methodByCode = new Map(
  paymentMethods.flatMap((method) => {
    const { code, codeWithoutAccount = code } = meansByMethod[method]
    return [[code, method] as const, [codeWithoutAccount, method] as const]
  }),
)

export function toPaymentMeansCode(
  method: WirePaymentMethod,
  { hasAccount }: { hasAccount: boolean },
): string {
  const { code, codeWithoutAccount = code } = meansByMethod[method]
  return hasAccount ? code : codeWithoutAccount
}

export function findPaymentMethod(code: string): PaymentMethod | undefined {
  return methodByCode.get(code)
}

export function frenchPaymentMethod(method: WirePaymentMethod): string {
  return meansByMethod[method].french
}
