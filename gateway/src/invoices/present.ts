// Amounts have at most 15 significant digits, which a `number` holds exactly. Quantities and prices
// have up to 22, and are written with all of them.

import { minorUnitDigits } from '@einvoicing/domain/currency'
import {
  optionalLineTexts,
  optionalTextFields,
  structureFields,
  type InvoiceField,
  type LineField,
  type StructureField,
} from '@einvoicing/domain/invoice-fields'
import { defaultInvoiceType, type InvoiceType } from '@einvoicing/domain/invoice-types'
import { nameLevel } from '@einvoicing/domain/signature-level'
import { findWarnings } from '@einvoicing/profile/warnings'
import type { Invoice, InvoiceLine, PageRequest } from '@einvoicing/proto/invoice'
import { toExactNumber } from '../json/exact-json'
import {
  presentAllowances,
  presentAmounts,
  presentCredits,
  presentVatBreakdown,
} from './present-amounts'
import type { CreatedInvoice, ListedInvoice, PresentedInvoice, PresentedStatus } from './answers'

type Every<Name extends string> = Record<Name, unknown> & Record<string, unknown>

function presentCore(invoice: Invoice) {
  const unit = minorUnitsPerUnit(invoice.currency)
  return {
    id: invoice.id,
    organizationId: invoice.organizationId,
    invoiceNumber: invoice.invoiceNumber,
    ...presentKind(invoice),
    status: invoice.status,
    issuerIce: invoice.issuer?.ice ?? '',
    issuerName: invoice.issuer?.name ?? '',
    ...presentNullable(invoice, optionalTextFields),
    servicePeriod: presentStructure(invoice.servicePeriod, 'servicePeriod'),
    paymentAccount: presentStructure(invoice.paymentAccount, 'paymentAccount'),
    ...presentAmounts(invoice, unit),
    currency: invoice.currency,
    paymentMethod: invoice.paymentMethod,
    amountHt: invoice.amountHt / unit,
    amountVat: invoice.amountVat / unit,
    amountTtc: invoice.amountTtc / unit,
    invoiceDate: invoice.invoiceDate,
    dgiReference: invoice.dgiReference ?? null,
    dgiQrCode: invoice.dgiQrCode ?? null,
    createdAt: invoice.createdAt,
    updatedAt: invoice.updatedAt,
  } satisfies Every<Exclude<InvoiceField, 'lines'>>
}

function presentKind(invoice: Invoice) {
  const { type = defaultInvoiceType, precedingInvoices, correctionReason = null } = invoice
  return {
    type: type as InvoiceType,
    correctionReason,
    precedingInvoices:
      precedingInvoices?.items.map(({ id, invoiceNumber = '', invoiceDate = '' }) => {
        return { id: id ?? null, invoiceNumber, invoiceDate }
      }) ?? null,
  }
}

type Nullable<Fields, Name extends string> = {
  [Each in Name]: (Each extends keyof Fields ? Exclude<Fields[Each], undefined> : never) | null
}

function presentNullable<Fields extends object, Name extends string & keyof Fields>(
  fields: Fields,
  names: readonly Name[],
) {
  // A loop, since it runs for each line of each answer.
  const presented: Partial<Record<Name, unknown>> = {}
  for (const name of names) presented[name] = fields[name] ?? null
  return presented as Nullable<Fields, Name>
}

function presentStructure<Name extends StructureField>(
  value: { [Each in (typeof structureFields)[Name][number]]?: string | undefined } | undefined,
  name: Name,
) {
  type Each = (typeof structureFields)[Name][number]
  if (!value) return null
  const names = structureFields[name] as readonly Each[]
  return Object.fromEntries(names.map((each) => [each, value[each] ?? null])) as Record<
    Each,
    string | null
  >
}

export function presentCreated(
  invoice: Invoice,
  verificationUrl: string | null = null,
): CreatedInvoice {
  return Object.assign(presentCore(invoice), presentLines(invoice), { verificationUrl })
}

export function presentInvoice(
  invoice: Invoice,
  verificationUrl: string | null = null,
): PresentedInvoice {
  const dgiQrPayload = invoice.dgiQrPayload ?? null
  const core = Object.assign(presentCore(invoice), { dgiQrPayload }, presentDecision(invoice))
  return Object.assign(core, presentEvidence(invoice), presentLines(invoice), { verificationUrl })
}

export function presentListed(invoice: Invoice): ListedInvoice {
  return Object.assign(presentCore(invoice), presentDecision(invoice))
}

export function presentStatus(invoice: Invoice): PresentedStatus {
  return {
    id: invoice.id,
    status: invoice.status,
    dgiReference: invoice.dgiReference ?? null,
    dgiQrPayload: invoice.dgiQrPayload ?? null,
    ...presentDecision(invoice),
  }
}

function presentDecision(invoice: Invoice) {
  return {
    dgiSubmittedAt: invoice.dgiSubmittedAt ?? null,
    dgiValidatedAt: invoice.dgiValidatedAt ?? null,
    dgiRejectedAt: invoice.dgiRejectedAt ?? null,
    dgiErrorCode: invoice.dgiErrorCode ?? null,
    dgiErrorMessage: invoice.dgiErrorMessage ?? null,
  }
}

function presentEvidence({ xmlSha256, signatureLevel, timeStampedAt }: Invoice) {
  const signed = xmlSha256 === undefined ? null : nameLevel('B')
  return { signatureLevel: signatureLevel ?? signed, timeStampedAt: timeStampedAt ?? null }
}

function presentLines(invoice: Invoice) {
  const unit = minorUnitsPerUnit(invoice.currency)
  const vatBreakdown = presentVatBreakdown(invoice, unit)
  const lines = invoice.lines.map((line: InvoiceLine) => ({
    lineNumber: line.lineNumber,
    description: line.description,
    quantity: toExactNumber(line.quantity),
    unitPrice: toExactNumber(line.unitPrice),
    vatRate: line.vatRate,
    ...presentNullable(line, optionalLineTexts),
    servicePeriod: presentStructure(line.servicePeriod, 'servicePeriod'),
    allowances: presentAllowances(line.allowances, unit),
    charges: presentAllowances(line.charges, unit),
    amountHt: line.amountHt / unit,
  })) satisfies Every<LineField>[]
  const warnings = findWarnings(invoice)
  return { lines, vatBreakdown, warnings, ...presentCredits(invoice, unit) }
}

export function minorUnitsPerUnit(currency: string): number {
  return 10 ** minorUnitDigits(currency)
}

/** Past the end it is empty, with the true totals. */
export function presentPage(
  content: readonly object[],
  { page, size }: PageRequest,
  total: number,
) {
  const totalPages = Math.ceil(total / size)
  return {
    content,
    page,
    size,
    totalElements: total,
    totalPages,
    first: page === 0,
    last: page >= totalPages - 1,
  }
}
