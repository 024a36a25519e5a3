/**
 * The body of POST and PUT as the invoices service takes it: read completely, every field fault
 * told at once.
 */

import { normalizeInvoiceNumber } from '@einvoicing/domain/invoice-number'
import { limits } from '@einvoicing/domain/limits'
import type { FieldError } from '@einvoicing/domain/api-error'
import type { InvoiceContent, InvoiceLine } from '@einvoicing/proto/invoice'
import type { UpdateInvoiceRequest } from '@einvoicing/proto/invoices'
import type { z } from 'zod'
import { createValidationError } from '@einvoicing/domain/validation-error'
import { findFieldErrors } from '../fields/field-errors'
import { ExactNumber } from '../json/exact-json'
import { parseJsonObject, type JsonObject } from '../http/body/read-json'
import { crossFieldFaults } from './cross-field-rules'
import { decimalText } from './exact-number'
import {
  invoiceChanges,
  lineFieldNames,
  newInvoice,
  type ChangedFields,
  type InvoiceFields,
  type LineFields,
} from './invoice-schema'

export interface NewInvoice {
  content: InvoiceContent
  draft: boolean
}

/**
 * `null` on an optional field, and blank optional text, mean that it is not given. Throws
 * `VALIDATION_ERROR`.
 */
export function readNewInvoice(json: string, now = new Date()): NewInvoice {
  const fields: InvoiceFields = readBy(newInvoice, json, now)
  const { invoiceNumber, invoiceDate, currency, paymentMethod, lines } = fields
  return {
    content: {
      invoiceNumber: normalizeInvoiceNumber(invoiceNumber),
      invoiceDate,
      currency,
      paymentMethod,
      lines: lines.map(toInvoiceLine),
      ...given('buyerIce', fields.buyerIce),
      ...given('buyerName', fields.buyerName),
      ...given('buyerAddress', fields.buyerAddress),
      ...given('dueDate', fields.dueDate),
    },
    draft: fields.draft ?? false,
  }
}

export type InvoiceChanges = Omit<UpdateInvoiceRequest, 'invoiceId' | 'issuer'>

const clearable = ['buyerIce', 'buyerName', 'buyerAddress', 'dueDate'] as const

/**
 * Only what is in the body; `null` clears an optional field, and so does blank text. Throws
 * `VALIDATION_ERROR`.
 */
export function readInvoiceChanges(json: string, now = new Date()): InvoiceChanges {
  const fields: ChangedFields = readBy(invoiceChanges, json, now)
  const { invoiceNumber, invoiceDate, currency, paymentMethod, lines } = fields
  return {
    ...(invoiceNumber !== undefined && { invoiceNumber: normalizeInvoiceNumber(invoiceNumber) }),
    ...(invoiceDate !== undefined && { invoiceDate }),
    ...(currency !== undefined && { currency }),
    ...(paymentMethod !== undefined && { paymentMethod }),
    lines: lines?.map(toInvoiceLine) ?? [],
    ...given('buyerIce', fields.buyerIce),
    ...given('buyerName', fields.buyerName),
    ...given('buyerAddress', fields.buyerAddress),
    ...given('dueDate', fields.dueDate),
    cleared: clearable.filter((name) => fields[name] !== undefined && isBlank(fields[name])),
  }
}

function toInvoiceLine(line: LineFields): InvoiceLine {
  return {
    lineNumber: line.lineNumber,
    description: line.description,
    quantity: decimalText(line.quantity),
    unitPrice: decimalText(line.unitPrice),
    vatRate: line.vatRate,
    ...given('unit', line.unit),
    ...given('vatExemptionReason', line.vatExemptionReason),
    amountHt: 0,
  }
}

function given<Name extends string>(
  name: Name,
  value: string | null | undefined,
): Partial<Record<Name, string>> {
  return isBlank(value) ? {} : ({ [name]: value } as Partial<Record<Name, string>>)
}

function isBlank(value: string | null | undefined): value is null | undefined | '' {
  return value === null || value === undefined || value.trim() === ''
}

function readBy<Fields>(
  schema: z.ZodType<Fields> & { shape: z.ZodRawShape },
  json: string,
  now: Date,
): Fields {
  const body = parseJsonObject(json)
  const { checked, faults } = withoutSurplusLines(body)
  const read = schema.safeParse(checked)
  const knownFields = (path: readonly PropertyKey[]) =>
    path.length === 0 ? Object.keys(schema.shape) : lineFieldNames
  if (!read.success) faults.push(...findFieldErrors(read.error, knownFields))
  faults.push(...crossFieldFaults(checked, now))
  if (faults.length > 0 || !read.success) throw createValidationError(faults)
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
