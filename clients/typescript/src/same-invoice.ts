import { invoiceFieldNames, lineFieldNames, notCopiedFields } from './gen/invoice-fields'
import type { Invoice } from './schemas'

const plainFieldNames = invoiceFieldNames.filter((name) => name !== 'lines')
const clearableFields = ['buyerReference', 'buyerType']

/** Of a change: only the fields sent. Blank text and `null` count as absent, as in the service. */
export function findDifferences(sentJson: string, stored: Invoice): string[] {
  const sent = JSON.parse(sentJson) as Record<string, unknown>
  return compare(sent, stored, clearableFields)
}

/** A stored field that was not sent differs too, and so does the status of an unexpected draft. */
export function findAllDifferences(
  sentJson: string,
  stored: Invoice,
  clearable: readonly string[] = [],
): string[] {
  const sent = JSON.parse(sentJson) as Record<string, unknown>
  const cleared = Object.fromEntries(plainFieldNames.map((name) => [name, null]))
  const { status } = stored
  const isUnexpected = status === 'CANCELLED' || (status === 'PENDING' && sent['draft'] !== true)
  return [
    ...compare({ ...cleared, ...sent }, stored, clearable),
    ...(isUnexpected ? ['status'] : []),
  ]
}

function compare(
  sent: Record<string, unknown>,
  stored: Invoice,
  clearable: readonly string[],
): string[] {
  const takesBuyer = stored.type === 'CREDIT_NOTE' && hasOriginal(stored)
  // The service fills it in from an original that it has, which therefore has an id.
  const isTaken = (name: string) =>
    takesBuyer && name.startsWith('buyer') && !clearable.includes(name) && isSame(sent[name], null)
  return [
    ...plainFieldNames.filter(
      (name) => name in sent && !isTaken(name) && !isSameField(name, sent[name], stored),
    ),
    ...('lines' in sent ? findLineDifferences(sent['lines'], stored.lines) : []),
  ]
}

function hasOriginal({ precedingInvoices }: Invoice): boolean {
  return precedingInvoices?.some(({ id }) => id !== null) ?? false
}

/** Of a credit note that the service copies from its original: all of it, or the lines sent. */
export function findCreditDifferences(
  sentJson: string,
  original: Invoice,
  stored: Invoice,
): string[] {
  const { lines, paymentMethod, ...sent } = JSON.parse(sentJson) as Record<string, unknown>
  const copied = plainFieldNames.filter((name) => !notCopiedFields.some((other) => other === name))
  const note = {
    ...Object.fromEntries(copied.map((name) => [name, original[name]])),
    type: 'CREDIT_NOTE',
    precedingInvoices: [{ id: original.id }],
    paymentMethod: paymentMethod ?? original.paymentMethod,
    ...sent,
    lines: Array.isArray(lines)
      ? chooseLines(lines as Record<string, unknown>[], original)
      : original.lines,
  }
  return findAllDifferences(JSON.stringify(note), stored, clearableFields)
}

function chooseLines(chosen: Record<string, unknown>[], { lines }: Invoice) {
  return chosen.map(({ lineNumber, quantity }) => ({
    ...lines.find((line) => line.lineNumber === lineNumber),
    lineNumber,
    quantity: Number(quantity),
  }))
}

function findLineDifferences(sent: unknown, stored: Invoice['lines']): string[] {
  if (!Array.isArray(sent) || sent.length !== stored.length) return ['lines']
  const lines = sent as Record<string, unknown>[]
  return stored.flatMap((line, index) =>
    lineFieldNames
      .filter((name) => !isSame(lines[index]?.[name], line[name]))
      .map((name) => `lines[${index}].${name}`),
  )
}

/** Also of a service of 0.1, which does not know types. */
const usual = 'INVOICE' satisfies Invoice['type']

function isSameField(
  name: (typeof plainFieldNames)[number],
  sent: unknown,
  stored: Invoice,
): boolean {
  if (name === 'type') return isSame(sent ?? usual, (stored as Partial<Invoice>).type ?? usual)
  if (name !== 'precedingInvoices') return isSame(sent, stored[name])
  const { precedingInvoices: preceding } = stored
  if (!preceding) return isSame(sent, null)
  const references = Array.isArray(sent) ? (sent as Record<string, unknown>[]) : []
  // The service adds what it knows of an invoice that it has.
  return (
    references.length === preceding.length &&
    preceding.every((known, index) =>
      Object.entries(known).every(([field, value]) => {
        const given = references[index]?.[field] ?? null
        const isId = field === 'id' && typeof given === 'string'
        return given === null || isSame(isId ? given.toLowerCase() : given, value)
      }),
    )
  )
}

const visible = /[^\s\u0085\p{Default_Ignorable_Code_Point}]/u

// As JavaScript reads them: both sides round to the same double. An empty list is none.
const isSame = (sent: unknown, stored: unknown) =>
  JSON.stringify(normalize(sent)) === JSON.stringify(normalize(stored))

function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(normalize)
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => [name, normalize(field)] as const)
    return withoutComputed(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  }
  if (typeof value !== 'string') return value ?? null
  // The service stores invoice numbers in NFC.
  return visible.test(value) ? value.normalize('NFC') : null
}

/** An allowance by percentage comes back with the amount that was computed. */
function withoutComputed(fields: (readonly [string, unknown])[]) {
  const filled = fields.filter(([, field]) => field !== null)
  const isPercentage = filled.some(([name]) => name === 'percent')
  return isPercentage ? filled.filter(([name]) => name !== 'amount') : filled
}
