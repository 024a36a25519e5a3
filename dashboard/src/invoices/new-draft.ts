import type { Invoice } from '../api/invoice'
import type { Catalogue } from '../i18n/catalogue'
import type { Language } from '../i18n/language'
import {
  createDraftForm,
  createLine,
  createReference,
  toTypedDraft,
  type TypedDraft,
  type TypedLine,
} from './draft'
import { createAdjustment, toRate } from './typed-adjustments'
import { toText } from './typed-numbers'

export const purposes = ['copy', 'credit', 'balance'] as const
export type Purpose = (typeof purposes)[number]

export interface Original {
  purpose: Purpose
  invoice: Invoice
}

interface Reader {
  language: Language
  texts: Catalogue
  today: Date
}

export function startDraft(original: Original | undefined, reader: Reader): TypedDraft {
  if (!original) return createDraftForm(reader.today)
  return creators[original.purpose](original.invoice, reader)
}

const creators: Record<Purpose, (invoice: Invoice, reader: Reader) => TypedDraft> = {
  copy: copyInvoice,
  credit: creditInvoice,
  balance: deductDeposit,
}

function copyInvoice(original: Invoice, { language, today }: Reader): TypedDraft {
  const { invoiceDate } = createDraftForm(today)
  // Numbers, dates and payments differ in each invoice.
  return {
    ...toTypedDraft(original, language),
    ...{ invoiceNumber: '', invoiceDate, dueDate: '', prepaidAmount: '' },
  }
}

const refer = ({ id, invoiceNumber, invoiceDate }: Invoice) =>
  createReference({ id, invoiceNumber, invoiceDate })

function creditInvoice(original: Invoice, reader: Reader): TypedDraft {
  const copied = copyInvoice(original, reader)
  return {
    ...copied,
    type: 'CREDIT_NOTE',
    // Not before that of the original, which may be dated ahead.
    invoiceDate:
      copied.invoiceDate < original.invoiceDate ? original.invoiceDate : copied.invoiceDate,
    precedingInvoices: [refer(original)],
    ...{ stampDuty: false, vatWithholdingPercent: '', paymentTerms: '' },
  }
}

/** The final invoice deducts base and VAT of the deposit at each of its rates. */
function deductDeposit(deposit: Invoice, reader: Reader): TypedDraft {
  const { language, texts, today } = reader
  const copied = copyInvoice(deposit, reader)
  const date = deposit.invoiceDate.split('-').reverse().join('/')
  return {
    ...createDraftForm(today),
    ...pickBuyer(copied),
    currency: deposit.currency,
    paymentMethod: deposit.paymentMethod,
    precedingInvoices: [refer(deposit)],
    allowances: deposit.vatBreakdown.map(({ vatRate, vatCategory, taxableAmount }) =>
      createAdjustment({
        unit: 'amount',
        value: toText(taxableAmount, language),
        rate: toRate(vatRate, vatCategory),
        reason: texts.credit.deposit(deposit.invoiceNumber, date),
      }),
    ),
    lines: deposit.vatBreakdown.map(({ vatRate, vatCategory }): TypedLine =>
      createLine({ vatRate: String(vatRate), vatCategory: vatRate === 0 ? vatCategory : '' }),
    ),
  }
}

function pickBuyer(typed: TypedDraft) {
  const { buyerName, buyerIce, buyerAddress, buyerCity, buyerCountry, buyerIf, buyerType } = typed
  return { buyerName, buyerIce, buyerAddress, buyerCity, buyerCountry, buyerIf, buyerType }
}
