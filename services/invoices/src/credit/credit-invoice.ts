import { callerOrganization } from '@einvoicing/rpc/caller'
import type { Call } from '@einvoicing/rpc/call'
import { invoiceNotFound, type FieldError } from '@einvoicing/domain/api-error'
import { Decimal } from '@einvoicing/domain/decimal'
import {
  invoiceFieldNames,
  lineFieldNames,
  notCopiedFields,
  type InvoiceField,
} from '@einvoicing/domain/invoice-fields'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { Invoice, InvoiceContent, InvoiceLine, LineContent } from '@einvoicing/proto/invoice'
import type { CreditInvoiceRequest } from '@einvoicing/proto/invoices'
import { createInvoice } from '../create-invoice'
import type { Deps } from '../deps'

/** Throws INVOICE_NOT_FOUND, and what `createInvoice` throws. */
export async function creditInvoice(
  deps: Deps,
  request: CreditInvoiceRequest,
  call: Call,
): Promise<Invoice> {
  const original = await deps.store.get(callerOrganization(call.caller), request.invoiceId)
  if (!original) throw invoiceNotFound()
  const { issuer, draft } = request
  const creation = { issuer, draft, content: undefined, newerContent: copy(original, request) }
  return createInvoice(deps, creation, call)
}

function copy(original: Invoice, request: CreditInvoiceRequest): InvoiceContent {
  const { invoiceNumber, invoiceDate, correctionReason, paymentMethod } = request
  const isNotCopied = (name: InvoiceField) => notCopiedFields.some((other) => other === name)
  const names = invoiceFieldNames.filter((name) => !isNotCopied(name))
  return {
    ...pick(original, names),
    type: 'CREDIT_NOTE',
    invoiceNumber,
    invoiceDate,
    correctionReason,
    paymentMethod: paymentMethod ?? original.paymentMethod,
    precedingInvoices: { items: [{ id: original.id }] },
    currency: original.currency,
    lines:
      request.lines.length === 0 ? original.lines.map(toContent) : chooseLines(original, request),
  }
}

const toContent = (line: InvoiceLine): LineContent => pick(line, lineFieldNames)

function chooseLines(original: Invoice, request: CreditInvoiceRequest): LineContent[] {
  const errors: FieldError[] = []
  if (hasAdjustments(original)) {
    const message = `cannot be selected: invoice ${original.invoiceNumber} has allowances or charges; omit lines, or send the whole credit note to POST /v1/invoices`
    errors.push({ field: 'lines', message })
  }
  const lines = request.lines.flatMap(({ lineNumber, quantity }, index): LineContent[] => {
    const line = original.lines.find((each) => each.lineNumber === lineNumber)
    if (!line) {
      const message = `is not a line of invoice ${original.invoiceNumber}; got ${lineNumber}`
      errors.push({ field: `lines[${index}].lineNumber`, message })
      return []
    }
    if (Decimal.parse(quantity).isGreaterThan(Decimal.parse(line.quantity))) {
      const message = `must be at most ${line.quantity}, as in line ${lineNumber} of invoice ${original.invoiceNumber}; got ${quantity}`
      errors.push({ field: `lines[${index}].quantity`, message })
    }
    return [{ ...toContent(line), quantity }]
  })
  if (errors.length > 0) throw createValidationError(errors)
  return lines
}

function hasAdjustments({ allowances, charges, lines }: Invoice): boolean {
  return [{ allowances, charges }, ...lines].some(
    (each) => each.allowances !== undefined || each.charges !== undefined,
  )
}

function pick<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name> {
  const entries = names.flatMap((name) =>
    fields[name] === undefined ? [] : [[name, fields[name]]],
  )
  return Object.fromEntries(entries) as Pick<Fields, Name>
}
