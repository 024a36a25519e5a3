/**
 * The body of POST and PUT as the invoices service takes it: read completely, every field error
 * told at once.
 */

import { invoiceFieldNames, lineFieldNames, toMaskPath } from '@einvoicing/domain/invoice-fields'
import type { InvoiceField } from '@einvoicing/domain/invoice-fields'
import { normalizeInvoiceNumber } from '@einvoicing/domain/invoice-number'
import { limits } from '@einvoicing/domain/limits'
import type { FieldError } from '@einvoicing/domain/api-error'
import { InvoiceContent } from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import type { z } from 'zod'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { findFieldErrors } from '../fields/field-errors'
import { ExactNumber } from '../json/exact-json'
import { parseJsonObject, type JsonObject } from '../http/body/read-json'
import { crossFieldErrors } from './cross-field-rules'
import { invoiceChanges, newInvoice } from './invoice-schema'

export interface NewInvoice {
  content: InvoiceContent
  draft: boolean
}

/**
 * `null` on an optional field, and blank optional text, mean that it is not given. Throws
 * `VALIDATION_ERROR`.
 */
export function readNewInvoice(json: string, now = new Date()): NewInvoice {
  const { draft, ...fields } = readBy(newInvoice, json, now)
  const lines = fields.lines.map(dropBlank)
  const invoiceNumber = normalizeInvoiceNumber(fields.invoiceNumber)
  return { content: { ...dropBlank(fields), invoiceNumber, lines }, draft: draft ?? false }
}

export type InvoiceChanges = Omit<UpdateInvoiceRequest, 'invoiceId' | 'issuer'>

/**
 * Only what is in the body; `null` clears an optional field, and so does blank text. Throws
 * `VALIDATION_ERROR`.
 */
export function readInvoiceChanges(json: string, now = new Date()): InvoiceChanges {
  const fields = readBy(invoiceChanges, json, now)
  const { invoiceNumber, lines, ...others } = dropBlank(fields)
  const content = {
    ...others,
    ...(invoiceNumber !== undefined && { invoiceNumber: normalizeInvoiceNumber(invoiceNumber) }),
    ...(lines && { lines: lines.map(dropBlank) }),
  }
  const names = invoiceFieldNames.filter((name) => fields[name] !== undefined)
  return {
    content: { ...InvoiceContent.decode(new Uint8Array()), ...content },
    updateMask: names.map(toMaskPath),
    ...toFormerChanges(content, names),
  }
}

// Until 0.3: what an invoices service of 0.1 reads.
function toFormerChanges(content: Partial<InvoiceContent>, names: readonly InvoiceField[]) {
  const { lines = [], ...others } = content
  return { ...others, lines, cleared: names.filter((name) => content[name] === undefined) }
}

type Given<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], null | undefined> }

/** Without the optional fields that are `null` or blank text. */
function dropBlank<Fields extends object>(fields: Fields): Given<Fields> {
  const given = Object.entries(fields).filter(([, value]) => !isBlank(value))
  return Object.fromEntries(given) as Given<Fields>
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && !value.trim())
}

function readBy<Fields>(
  schema: z.ZodType<Fields> & { shape: z.ZodRawShape },
  json: string,
  now: Date,
): Fields {
  const body = parseJsonObject(json)
  const { checked, faults: problems } = withoutSurplusLines(body)
  const read = schema.safeParse(checked)
  const knownFields = (path: readonly PropertyKey[]) =>
    path.length === 0 ? Object.keys(schema.shape) : lineFieldNames
  if (!read.success) problems.push(...findFieldErrors(read.error, knownFields))
  problems.push(...crossFieldErrors(checked, now))
  if (problems.length > 0 || !read.success) throw createValidationError(problems)
  return read.data
}

/** A hostile body holds half a million lines; what is wrong with each does not matter any more. */
function withoutSurplusLines(body: JsonObject): { checked: JsonObject; faults: FieldError[] } {
  const lines: unknown = body['lines']
  if (!Array.isArray(lines)) return { checked: body, faults: [] }
  // An `ExactNumber` in the place of a line would pass for an object.
  const kept = lines
    .slice(0, limits.lineCount)
    .map((line: unknown) => (line instanceof ExactNumber ? line.literal : line))
  const checked = { ...body, lines: kept }
  if (lines.length <= limits.lineCount) return { checked, faults: [] }
  const message = `must have at most ${limits.lineCount} lines; got ${lines.length}`
  return { checked, faults: [{ field: 'lines', message }] }
}
