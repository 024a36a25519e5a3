import { readNote } from '@einvoicing/profile/note-subject'
import { toVatCategory } from '@einvoicing/profile/vat'
import type { AllowanceCharge, AllowanceCharges } from '@einvoicing/proto/invoice'
import { elementsAt, requiredText, textAt, type Element } from './element'

export function readAdjustments(root: Element) {
  return {
    ...readAllowanceCharges(root, readTaxCategory),
    prepaidAmount: textAt(root, 'LegalMonetaryTotal/PrepaidAmount'),
  }
}

/** Several categories have the rate 0. */
function readTaxCategory(element: Element) {
  const { vatRate, vatCategory = toVatCategory(vatRate) } = readTaxed(element, 'TaxCategory')
  return { vatRate, vatCategory: vatRate === 0 ? vatCategory : undefined }
}

export const readLineAdjustments = (line: Element) => readAllowanceCharges(line, () => ({}))

export const readNotes = (root: Element): string[] =>
  elementsAt(root, 'Note').map((note) => readNote(note.textContent ?? ''))

export function readTaxed(parent: Element, path: string) {
  const vatRate = Number(textAt(parent, `${path}/Percent`) ?? 0)
  const category = requiredText(parent, `${path}/ID`)
  return {
    vatRate,
    vatCategory: category === toVatCategory(vatRate) ? undefined : category,
  }
}

type Taxed = Partial<ReturnType<typeof readTaxed>>

function readAllowanceCharges(parent: Element, readTax: (element: Element) => Taxed) {
  const elements = elementsAt(parent, 'AllowanceCharge')
  const ofKind = (indicator: string): AllowanceCharges | undefined => {
    const items = elements
      .filter((element) => requiredText(element, 'ChargeIndicator') === indicator)
      .map((element): AllowanceCharge => {
        const percent = textAt(element, 'MultiplierFactorNumeric')
        return {
          ...(percent === undefined ? { amount: requiredText(element, 'Amount') } : { percent }),
          ...readTax(element),
          reason: requiredText(element, 'AllowanceChargeReason'),
          reasonCode: textAt(element, 'AllowanceChargeReasonCode'),
          shares: [],
        }
      })
    return items.length === 0 ? undefined : { items }
  }
  return { allowances: ofKind('false'), charges: ofKind('true') }
}
