import type { Catalogue } from '../i18n/catalogue'
import type { TypedDraft, TypedLine, TypedLineFields, TypedReference } from './draft'
import { labelFields, labelLineField, type DraftFields } from './draft-labels'
import { readRate, type TypedAdjustment } from './typed-adjustments'

export interface Difference {
  field: string
  mine: string
  theirs: string
}

/**
 * Of every field of the form: what is not compared would be overwritten unseen. A field that is
 * not a text does not compile until it is shown as one.
 */
export function findDifferences(
  mine: TypedDraft,
  theirs: TypedDraft,
  texts: Catalogue,
): Difference[] {
  const labels = labelFields(texts)
  const ofLine = (index: number) => {
    const [ours, others] = [mine.lines[index], theirs.lines[index]]
    const toLabel = (name: keyof TypedLineFields) =>
      `${texts.draft.line(index + 1)}, ${labelInLine(name, texts)}`
    return compare(ours && showLine(ours, texts), others && showLine(others, texts), toLabel)
  }
  const lineCount = Math.max(mine.lines.length, theirs.lines.length)
  return [
    ...compare(showFields(mine, texts), showFields(theirs, texts), (name) => labels[name]),
    ...Array.from({ length: lineCount }, (_, index) => ofLine(index)).flat(),
  ]
}

type Shown<Name extends string> = Readonly<Record<Name, string>>

/** One side is absent for a line that only the other has. */
function compare<Name extends string>(
  mine: Shown<Name> | undefined,
  theirs: Shown<Name> | undefined,
  toLabel: (name: Name) => string,
): Difference[] {
  const names = Object.keys(theirs ?? mine ?? {}) as Name[]
  return names.flatMap((name) => {
    const [ours, others] = [mine?.[name].trim() ?? '', theirs?.[name].trim() ?? '']
    return ours === others ? [] : [{ field: toLabel(name), mine: ours, theirs: others }]
  })
}

function labelInLine(name: keyof TypedLineFields, texts: Catalogue): string {
  const label = labelLineField(name, texts)
  return name.startsWith('servicePeriod.') ? `${texts.draft.servicePeriod}, ${label}` : label
}

function showFields({ lines: _, ...fields }: TypedDraft, texts: Catalogue) {
  const { credit, draft, invoice } = texts
  const { vatWithholdingPercent: withheld } = fields
  const buyerTypes: Readonly<Record<string, string>> = draft.buyerTypes
  return {
    ...fields,
    type: credit.types[fields.type],
    paymentMethod: invoice.methods[fields.paymentMethod],
    buyerType: buyerTypes[fields.buyerType] ?? fields.buyerType,
    precedingInvoices: fields.precedingInvoices.map(showReference).join(', '),
    ...showAdjustments(fields, texts),
    stampDuty: fields.stampDuty ? draft.yes : draft.no,
    vatWithholdingPercent: withheld === '' ? credit.noWithholding : `${withheld} %`,
  } satisfies Shown<keyof DraftFields>
}

function showLine({ key: _, ...fields }: TypedLine, texts: Catalogue) {
  const isZero = fields.vatRate === '0'
  return {
    ...fields,
    lineNumber: String(fields.lineNumber ?? ''),
    // For other rates the form neither shows nor sends them.
    vatCategory: isZero ? showCategory(fields.vatCategory || 'E', texts) : '',
    vatExemptionReason: isZero ? fields.vatExemptionReason : '',
    ...showAdjustments(fields, texts),
  } satisfies Shown<keyof TypedLineFields>
}

function showCategory(category: string, { credit }: Catalogue): string {
  const names: Readonly<Record<string, string>> = credit.vatCategories
  return names[category] ?? category
}

/** Without the id: it follows from the number. */
const showReference = ({ key: _, id: __, invoiceNumber, ...details }: TypedReference): string =>
  joinDetails(invoiceNumber, Object.values(details))

function showAdjustments(
  { allowances, charges }: Record<'allowances' | 'charges', TypedAdjustment[]>,
  texts: Catalogue,
) {
  const show = (items: readonly TypedAdjustment[]) =>
    items.map((item) => showAdjustment(item, texts)).join(', ')
  return { allowances: show(allowances), charges: show(charges) }
}

function showAdjustment({ key: _, unit, ...item }: TypedAdjustment, texts: Catalogue): string {
  const { vatRate, vatCategory } = readRate(item.rate)
  const percent = vatRate === null ? '' : `${texts.credit.rate} ${vatRate} %`
  const name = vatCategory === null ? '' : showCategory(vatCategory, texts)
  const { reason, value, ...details } = {
    ...item,
    value: `${item.value}${unit === 'percent' ? ' %' : ''}`,
    rate: [percent, name].filter((part) => part !== '').join(', '),
    reasonCode: item.reasonCode ?? '',
  } satisfies Shown<keyof typeof item>
  return joinDetails(`${reason} ${value}`, Object.values(details))
}

function joinDetails(text: string, details: readonly string[]): string {
  const filled = details.filter((detail) => detail !== '')
  return filled.length === 0 ? text : `${text} (${filled.join(', ')})`
}
