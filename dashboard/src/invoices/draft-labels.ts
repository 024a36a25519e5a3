/** Labels of the form; it does not compile until each field of a draft has one. */

import type { Catalogue } from '../i18n/catalogue'
import { readParts, type PartField, type TypedDraft, type TypedLineFields } from './draft'

export type DraftFields = Omit<TypedDraft, 'lines'>

export function labelFields({ credit, draft }: Catalogue) {
  return {
    ...draft,
    ...readParts((name) => `${draft[readWhole(name)]}, ${credit.parts[name]}`),
    type: credit.documentType,
    invoiceNumber: draft.number,
    invoiceDate: draft.date,
    correctionReason: credit.reason,
    precedingInvoices: credit.preceding,
    stampDuty: credit.stampDuty,
    vatWithholdingPercent: credit.withholding,
  } satisfies Record<keyof DraftFields, string>
}

type Whole<Name> = Name extends `${infer First}.${string}` ? First : never

const readWhole = (name: PartField) => name.replace(/\..*/, '') as Whole<PartField>

export function labelLineField(name: keyof TypedLineFields, { credit, draft }: Catalogue): string {
  if (name === 'vatExemptionReason') return draft.exemption
  if (name === 'vatCategory') return credit.vatCategory
  return isOfLines(name, credit) ? credit.lineLabels[name] : draft[name]
}

const isOfLines = (
  name: string,
  { lineLabels }: Catalogue['credit'],
): name is keyof typeof lineLabels => name in lineLabels
