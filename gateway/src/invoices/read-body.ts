import {
  invoiceFieldNames,
  lineFieldNames,
  structureFields,
  toMaskPath,
} from '@einvoicing/domain/invoice-fields'
import type { InvoiceField } from '@einvoicing/domain/invoice-fields'
import { normalizeInvoiceNumber } from '@einvoicing/domain/invoice-number'
import { limits } from '@einvoicing/domain/limits'
import type { FieldError } from '@einvoicing/domain/api-error'
import { InvoiceContent } from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import { findContentErrors } from '@einvoicing/profile/content-rules'
import type { z } from 'zod'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { findFieldErrors } from '../fields/field-errors'
import { ExactNumber } from '../json/exact-json'
import { isJsonObject, parseJsonObject, type JsonObject } from '../http/body/read-json'
import { crossFieldErrors } from './cross-field-rules'
import { invoiceChanges, newInvoice } from './invoice-schema'
import { newerLinePaths } from './newer-fields'
import { dropBlank } from './structure'

export interface NewInvoice {
  content: InvoiceContent
  draft: boolean
}

/** `null` and blank optional text mean absent. Throws `VALIDATION_ERROR`. */
export function readNewInvoice(json: string, now = new Date()): NewInvoice {
  const { draft, ...fields } = readBy(newInvoice, json, { now, findMore: contentErrors })
  const lines = fields.lines.map(dropBlank)
  const invoiceNumber = normalizeInvoiceNumber(fields.invoiceNumber)
  const content = Object.assign(dropBlank(fields), { invoiceNumber, lines })
  return { content, draft: draft ?? false }
}

export type InvoiceChanges = Omit<UpdateInvoiceRequest, 'invoiceId' | 'issuer'>

/** Only the fields in the body; `null` and blank text clear. Throws `VALIDATION_ERROR`. */
export function readInvoiceChanges(json: string, now = new Date()): InvoiceChanges {
  const fields = readBy(invoiceChanges, json, { now })
  const { invoiceNumber, lines, ...others } = dropBlank(fields)
  const content = {
    ...others,
    ...(invoiceNumber !== undefined && { invoiceNumber: normalizeInvoiceNumber(invoiceNumber) }),
    ...(lines && { lines: lines.map(dropBlank) }),
  }
  const names = invoiceFieldNames.filter((name) => fields[name] !== undefined)
  return {
    content: { ...InvoiceContent.decode(new Uint8Array()), ...content },
    updateMask: [...names.map(toMaskPath), ...newerLinePaths(content.lines ?? [])],
    ...toFormerChanges(content, names),
  }
}

// Until 0.3: for an invoices service of 0.1.
function toFormerChanges(content: Partial<InvoiceContent>, names: readonly InvoiceField[]) {
  const { lines = [], ...others } = content
  return { ...others, lines, cleared: names.filter((name) => content[name] === undefined) }
}

interface Checks {
  now: Date
  /** After all others, whose errors are `found`. */
  findMore?: (body: JsonObject, found: readonly FieldError[]) => FieldError[]
}

export function readBy<Fields>(
  schema: z.ZodType<Fields> & { shape: z.ZodRawShape },
  json: string,
  { now, findMore = () => [] }: Checks,
): Fields {
  const body = parseJsonObject(json)
  let fieldErrors = dropSurplusItems(body)
  const read = schema.safeParse(body)
  const knownFields = (path: readonly PropertyKey[]) =>
    path.length === 0 ? Object.keys(schema.shape) : knownFieldsAt(path)
  // Not by `push`, whose arguments must fit the stack.
  const add = (find: () => FieldError[]) => {
    if (fieldErrors.length < limits.fieldErrorsReported) fieldErrors = [...fieldErrors, ...find()]
  }
  if (!read.success) add(() => findFieldErrors(read.error, knownFields))
  add(() => crossFieldErrors(body, now))
  add(() => findMore(body, fieldErrors))
  if (fieldErrors.length > 0 || !read.success) throw createValidationError(fieldErrors)
  return read.data
}

/** A credit note's buyer is in its original, which only `invoices` can read and check. */
function contentErrors(body: JsonObject, fieldErrors: readonly FieldError[]): FieldError[] {
  const errors = findContentErrors(body)
  if (!body['precedingInvoices']) return errors
  return fieldErrors.length === 0 ? [] : errors.filter(({ field }) => !field.startsWith('buyer'))
}

function knownFieldsAt(path: readonly PropertyKey[]): readonly string[] {
  const name = path.findLast((part) => typeof part === 'string')
  const known: Record<string, readonly string[]> = { ...structureFields, lines: lineFieldNames }
  return known[String(name)] ?? []
}

const countsMax = {
  lines: limits.lineCount,
  precedingInvoices: limits.precedingInvoiceCount,
  allowances: limits.allowanceCount,
  charges: limits.allowanceCount,
}
const lineCountsMax = { allowances: limits.lineAllowanceCount, charges: limits.lineAllowanceCount }

/** Changes `body`: a hostile one holds a million items; their errors are not reported. */
function dropSurplusItems(body: JsonObject): FieldError[] {
  const errors = dropSurplus(body, '', countsMax)
  const lines: unknown = body['lines']
  if (!Array.isArray(lines)) return errors
  const lineErrors = lines.flatMap((line: unknown, index) =>
    isJsonObject(line) ? dropSurplus(line, `lines[${index}].`, lineCountsMax) : [],
  )
  return [...errors, ...lineErrors]
}

function dropSurplus(
  fields: JsonObject,
  prefix: string,
  counts: Readonly<Record<string, number>>,
): FieldError[] {
  return Object.entries(counts).flatMap(([name, countMax]): FieldError[] => {
    const items = fields[name]
    if (!Array.isArray(items)) return []
    // An `ExactNumber` in the place of an item would pass for an object.
    fields[name] = items
      .slice(0, countMax)
      .map((item: unknown) => (item instanceof ExactNumber ? item.literal : item))
    if (items.length <= countMax) return []
    const noun = name === 'lines' ? 'lines' : 'items'
    const message = `must have at most ${countMax} ${noun}; got ${items.length}`
    return [{ field: `${prefix}${name}`, message }]
  })
}
