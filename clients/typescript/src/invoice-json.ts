import { EinvoicingError } from './errors'
import type { CreditNoteOfInvoice, FieldError, InvoiceChanges, NewInvoice } from './schemas'

/** Throws VALIDATION_ERROR for an amount that cannot be written, `TypeError` for other text. */
export function invoiceJson(
  body: NewInvoice | InvoiceChanges | CreditNoteOfInvoice | string,
): string {
  if (typeof body === 'string') return checkedText(body)
  const { lines, ...rest } = body
  if (!Array.isArray(lines) || !lines.every(isObject)) return JSON.stringify(body)
  const problems = lines.flatMap(amountErrors)
  if (problems.length > 0) {
    const [first] = problems
    const message = `The invoice cannot be sent: ${first?.field ?? ''} ${first?.message ?? ''}.`
    throw new EinvoicingError('VALIDATION_ERROR', message, { errors: problems })
  }
  const head = JSON.stringify(rest).slice(0, -1)
  return `${head}${head === '{' ? '' : ','}"lines":[${lines.map(lineJson).join(',')}]}`
}

function checkedText(text: string): string {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new TypeError(`the invoice is not JSON: ${(cause as Error).message}`, { cause })
  }
  if (!isObject(body) || Array.isArray(body)) throw new TypeError('the invoice is no JSON object')
  return text
}

const isObject = (line: unknown) => typeof line === 'object' && line !== null

const amountNames = ['quantity', 'unitPrice'] as const
export const decimalLiteral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

function amountErrors(line: object, index: number): FieldError[] {
  return amountNames.flatMap((name) => {
    const value = (line as Record<string, unknown>)[name]
    const field = `lines[${index}].${name}`
    if (typeof value === 'string' && !decimalLiteral.test(value)) {
      return [{ field, message: 'must be a plain decimal number such as 120.50' }]
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      return [{ field, message: 'must be a number' }]
    }
    return []
  })
}

function lineJson(line: object): string {
  const fields = Object.entries(line).flatMap(([name, value]) => {
    const json = isDigits(name, value) ? value : toJson(value)
    return json === undefined ? [] : [`${JSON.stringify(name)}:${json}`]
  })
  return `{${fields.join(',')}}`
}

function isDigits(name: string, value: unknown): value is string {
  return typeof value === 'string' && (amountNames as readonly string[]).includes(name)
}

// `undefined` for values that JSON cannot express.
const toJson = (value: unknown): string | undefined => JSON.stringify(value)
