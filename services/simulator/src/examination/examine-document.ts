import { findAmountError, type StatedAmounts } from './amounts'
import { minorUnitDigits } from './minor-units'
import type { Bases } from '../credits'
import { readInvoice, type ReportedInvoice, type TypeCode } from './read-invoice'
import { Rejection, type RejectionCode } from '../rejections'
import { verifySignature, type Trust } from './verify-signature'

/** Plain data, so that it can cross threads. */
export interface InvoiceSummary {
  number: string
  typeCode: TypeCode
  preceding: string[]
  bases: Bases
  issueDate: string
  issuerIce: string
  issuerName: string | undefined
  buyerIce: string | undefined
  currency: string
  /** Plain decimal text: `1200.00`. */
  amountTtc: string
}

export type Finding =
  | { kind: 'valid'; invoice: InvoiceSummary }
  | {
      kind: 'refused'
      code: RejectionCode
      message: string
      /** When the document could be read and is its seller's. */
      reported?: Pick<InvoiceSummary, 'issuerIce' | 'number'>
    }

/** Never throws for what a document holds. */
export function examine(document: Uint8Array, trust: Trust): Finding {
  let invoice: ReportedInvoice | undefined
  try {
    invoice = readInvoice(verifySignature(document, trust))
    checkParties(invoice)
    checkDates(invoice)
    const amountError = findAmountError(invoice.amounts)
    if (amountError !== undefined) throw new Rejection('AMOUNT_MISMATCH', amountError)
    return { kind: 'valid', invoice: summarize(invoice) }
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    const reported = invoice && { issuerIce: invoice.issuerIce, number: invoice.number }
    return {
      kind: 'refused',
      code: error.code,
      message: error.message,
      ...(reported && { reported }),
    }
  }
}

const ice = /^\d{15}$/

function checkParties({ issuerIce, buyerIce }: ReportedInvoice): void {
  if (!ice.test(issuerIce)) throw new Rejection('INVALID_ISSUER', issuerIce || 'none given')
  if (buyerIce !== undefined && !ice.test(buyerIce)) throw new Rejection('INVALID_BUYER', buyerIce)
}

function checkDates({ issueDate, dueDate }: ReportedInvoice): void {
  if (!isCalendarDate(issueDate)) throw new Rejection('INVALID_DATE', `IssueDate ${issueDate}`)
  if (dueDate === undefined) return
  if (!isCalendarDate(dueDate)) throw new Rejection('INVALID_DATE', `DueDate ${dueDate}`)
  if (dueDate < issueDate) {
    throw new Rejection('INVALID_DATE', `DueDate ${dueDate} before IssueDate ${issueDate}`)
  }
}

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function summarize(invoice: ReportedInvoice): InvoiceSummary {
  const { amounts } = invoice
  return {
    number: invoice.number,
    typeCode: invoice.typeCode,
    preceding: invoice.preceding,
    bases: readBases(amounts),
    issueDate: invoice.issueDate,
    issuerIce: invoice.issuerIce,
    issuerName: invoice.issuerName,
    buyerIce: invoice.buyerIce,
    currency: amounts.currency,
    amountTtc: amounts.taxInclusive.toFixed(minorUnitDigits(amounts.currency)),
  }
}

function readBases({ currency, subtotals }: StatedAmounts): Bases {
  return Object.fromEntries(
    subtotals.map(({ vat, taxable }) => [
      `${currency} ${vat.code} ${vat.percent.toFixed()}`,
      taxable.toFixed(),
    ]),
  )
}
