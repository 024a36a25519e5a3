import { notCopiedFields } from '@einvoicing/domain/invoice-fields'
import type { Invoice } from '../api/invoice'
import type { Catalogue } from '../i18n/catalogue'
import type { Language } from '../i18n/language'
import {
  createDraftForm,
  createLine,
  createReference,
  toTypedDraft,
  type TypedDraft,
} from './draft'
import { createAdjustment, toRate } from './typed-adjustments'
import { toText } from './typed-numbers'

export const purposes = ['copy', 'correct', 'credit', 'balance'] as const
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
  correct: (invoice, reader) => copyContent(invoice, [], reader),
  credit: creditInvoice,
  balance: deductDeposit,
}

const neverRepeated = [
  ...['dueDate', 'prepaidAmount', 'paymentReference'],
  ...['deliveryDate', 'deliveryNoteNumber', 'servicePeriod'],
]

function copyInvoice(original: Invoice, reader: Reader): TypedDraft {
  const copied = copyContent(original, neverRepeated, reader)
  const blank = { lineNumber: null, 'servicePeriod.from': '', 'servicePeriod.to': '' }
  const sale = { ...copied, lines: copied.lines.map((line) => ({ ...line, ...blank })) }
  return mayDeduct(original) ? withoutDeposits(sale, reader) : sale
}

/** Where not, a deposit that its document names is still to be deducted. */
const mayDeduct = ({ type, status }: Invoice): boolean =>
  type !== 'CREDIT_NOTE' && status !== 'CANCELLED' && status !== 'REJECTED'

function withoutDeposits(sale: TypedDraft, { texts }: Reader): TypedDraft {
  const deposits = sale.precedingInvoices.map((deposit) => nameDeposit(deposit, texts))
  return {
    ...sale,
    precedingInvoices: [],
    allowances: sale.allowances.filter(
      ({ unit, reason }) => unit !== 'amount' || !deposits.includes(reason),
    ),
  }
}

function nameDeposit(
  { invoiceNumber, invoiceDate }: Pick<Invoice, 'invoiceNumber' | 'invoiceDate'>,
  { credit }: Catalogue,
): string {
  return credit.deposit(invoiceNumber, invoiceDate.split('-').reverse().join('/'))
}

export function findPossibleDeposits(
  { purpose, invoice }: Original,
  { allowances }: TypedDraft,
): string[] {
  const { precedingInvoices, allowances: copied } = invoice
  if (purpose !== 'copy' || !mayDeduct(invoice) || !precedingInvoices) return []
  const reasons = allowances
    .map(({ reason }) => reason)
    .filter((reason) => copied?.some((allowance) => allowance.reason === reason))
  return [...new Set(reasons)]
}

function copyContent(
  original: Invoice,
  cleared: readonly string[],
  { language, today }: Reader,
): TypedDraft {
  const blank = createDraftForm(today)
  const isCleared = (path: string) => cleared.includes(path.replace(/\..*/, ''))
  return {
    ...toTypedDraft(original, language),
    ...Object.fromEntries(Object.entries(blank).filter(([path]) => isCleared(path))),
    invoiceNumber: '',
    invoiceDate: blank.invoiceDate,
  }
}

const refer = ({ id, invoiceNumber, invoiceDate }: Invoice) =>
  createReference({ id, invoiceNumber, invoiceDate })

function creditInvoice(original: Invoice, reader: Reader): TypedDraft {
  const copied = copyContent(original, notCopiedFields, reader)
  return {
    ...copied,
    lines: copied.lines.map((line) => ({ ...line, lineNumber: null })),
    type: 'CREDIT_NOTE',
    // Not before that of the original, which may be dated ahead.
    invoiceDate:
      copied.invoiceDate < original.invoiceDate ? original.invoiceDate : copied.invoiceDate,
    precedingInvoices: [refer(original)],
  }
}

export const findDeductible = ({ vatBreakdown }: Invoice) =>
  vatBreakdown.filter(({ creditableAmount }) => creditableAmount > 0)

/** The final invoice deducts base and VAT of the deposit at each of its rates. */
function deductDeposit(deposit: Invoice, reader: Reader): TypedDraft {
  const { language, texts, today } = reader
  const blank = createDraftForm(today)
  const rest = findDeductible(deposit)
  return {
    ...blank,
    ...pickBuyer(toTypedDraft(deposit, language)),
    currency: deposit.currency,
    paymentMethod: deposit.paymentMethod,
    precedingInvoices: [refer(deposit)],
    allowances: rest.map(({ vatRate, vatCategory, creditableAmount }) =>
      createAdjustment({
        unit: 'amount',
        value: toText(creditableAmount, language),
        rate: toRate(vatRate, vatCategory),
        reason: nameDeposit(deposit, texts),
      }),
    ),
    lines:
      rest.length === 0
        ? blank.lines
        : rest.map(({ vatRate, vatCategory }) =>
            createLine({ vatRate: String(vatRate), vatCategory: vatRate === 0 ? vatCategory : '' }),
          ),
  }
}

function pickBuyer(typed: TypedDraft) {
  const { buyerName, buyerIce, buyerAddress, buyerCity, buyerCountry, buyerIf, buyerType } = typed
  return { buyerName, buyerIce, buyerAddress, buyerCity, buyerCountry, buyerIf, buyerType }
}
