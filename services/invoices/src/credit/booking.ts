import { isCreditable } from '@einvoicing/domain/creditable'
import { formatAmount } from '@einvoicing/domain/currency'
import { creditExceedsInvoice, invoiceNotCreditable } from '@einvoicing/domain/invoice-errors'
import { isDecided } from '@einvoicing/domain/invoice-status'
import { limits } from '@einvoicing/domain/limits'
import { computeVat } from '@einvoicing/domain/totals'
import { findVatCategory } from '@einvoicing/profile/vat'
import type { Credit, Credits, Invoice, TaxableBase } from '@einvoicing/proto/invoice'

/** Throws INVOICE_NOT_CREDITABLE. */
export function requireCreditable(originals: readonly Invoice[]): void {
  for (const original of originals) {
    const isFull = (original.credits?.items.length ?? 0) >= limits.creditNotesOfInvoice
    if (!isCreditable(original) || isFull) {
      throw invoiceNotCreditable({ ...original, isFull })
    }
  }
}

/** Credits the first original as far as possible, then the next. Throws CREDIT_EXCEEDS_INVOICE. */
export function bookCredit(
  note: Invoice,
  originals: readonly Invoice[],
  { isOpen }: { isOpen: boolean },
): Credit[] {
  const { booked, excess } = divide(note, originals)
  if (excess.length > 0 && !isOpen) {
    throw creditExceedsInvoice(excess.map((each) => describeExcess(note, originals, each)))
  }
  return toCredits(note, booked, isOpen)
}

/** For a note that was booked before: up to the whole of an original, despite later notes. */
export function bookRecoveredCredit(
  note: Invoice,
  originals: readonly Invoice[],
  { isOpen }: { isOpen: boolean },
): Credit[] {
  const { booked, excess } = divide(note, originals)
  const bases = originals.map(toTaxableBases)
  const left = excess.flatMap((base) => {
    const amountsMax = bases.map(
      (each, index) => sumTax(each, base) - sumTax(booked[index] ?? [], base),
    )
    return distribute(base, booked, amountsMax)
  })
  for (const base of isOpen ? [] : left) {
    const withTax = bases.findIndex((each) => sumTax(each, base) > 0)
    add(booked[Math.max(0, withTax)] ?? [], base)
  }
  return toCredits(note, booked, isOpen)
}

function divide(note: Invoice, originals: readonly Invoice[]) {
  const booked = originals.map(() => [] as TaxableBase[])
  const excess = toTaxableBases(note).flatMap((base) => {
    const amountsMax = originals.map((original) => computeRemainder(original, base, note.id))
    return distribute(base, booked, amountsMax)
  })
  return { booked, excess }
}

function distribute(
  base: TaxableBase,
  booked: readonly TaxableBase[][],
  amountsMax: readonly number[],
): TaxableBase[] {
  let rest = base.amount
  booked.forEach((bases, index) => {
    const amount = Math.min(rest, amountsMax[index] ?? 0)
    if (amount > 0) add(bases, { ...base, amount })
    rest -= amount
  })
  return rest > 0 ? [{ ...base, amount: rest }] : []
}

function add(bases: TaxableBase[], base: TaxableBase): void {
  const same = bases.find((one) => isSameTax(one, base))
  if (same) same.amount += base.amount
  else bases.push(base)
}

export function withCredit(original: Invoice, credit: Credit): Credits {
  const others = withoutCredit(original, credit.creditNoteId)
  return { ...others, items: [...others.items, credit] }
}

export function withoutCredit({ credits, status, updatedAt }: Invoice, noteId: string): Credits {
  const decidedAt = credits?.decidedAt ?? (isDecided(status) ? updatedAt : undefined)
  const items = (credits?.items ?? []).filter(({ creditNoteId }) => creditNoteId !== noteId)
  return { items, decidedAt }
}

function toTaxableBases({ vatSubtotals }: Invoice): TaxableBase[] {
  return vatSubtotals
    .map((subtotal) => ({
      vatCategory: findVatCategory(subtotal),
      vatRate: subtotal.vatRate,
      amount: subtotal.taxableAmount,
    }))
    .filter(({ amount }) => amount > 0)
}

type Tax = Omit<TaxableBase, 'amount'>

const isSameTax = (a: Tax, b: Tax) => a.vatCategory === b.vatCategory && a.vatRate === b.vatRate

const sum = (bases: readonly TaxableBase[]) =>
  bases.reduce((total, { amount }) => total + amount, 0)

const sumTax = (bases: readonly TaxableBase[], tax: Tax) =>
  sum(bases.filter((base) => isSameTax(base, tax)))

/** Does not subtract the note's own earlier attempt, whose answer was lost. */
function computeRemainder(original: Invoice, tax: Tax, noteId: string): number {
  const credited = withoutCredit(original, noteId).items.flatMap(({ bases }) => bases)
  return Math.max(0, sumTax(toTaxableBases(original), tax) - sumTax(credited, tax))
}

function describeExcess(
  { id, currency }: Invoice,
  originals: readonly Invoice[],
  { amount: rest, ...base }: TaxableBase,
): string {
  const format = (amount: number) => formatAmount(amount, currency)
  const tax = base.vatCategory === 'S' ? `${base.vatRate} %` : `category ${base.vatCategory}`
  const left = originals.reduce((total, each) => total + computeRemainder(each, base, id), 0)
  const numbers = originals.map(({ invoiceNumber }) => invoiceNumber).join(', ')
  const invoices = originals.length === 1 ? `invoice ${numbers}` : `invoices ${numbers}`
  return `VAT ${tax}: ${format(left + rest)} to credit, ${format(left)} left of ${invoices}`
}

/** The amounts including VAT add up to that of the credit note. */
function toCredits(note: Invoice, booked: readonly TaxableBase[][], isOpen: boolean): Credit[] {
  const credits = booked.map((bases): Credit => {
    const vat = bases.map(({ amount, vatRate }) => Number(computeVat(BigInt(amount), vatRate)))
    const amountTtc = vat.reduce((total, each) => total + each, sum(bases))
    return { creditNoteId: note.id, invoiceNumber: note.invoiceNumber, bases, amountTtc }
  })
  const total = credits.reduce((before, { amountTtc }) => before + amountTtc, 0)
  if (!isOpen) spread(note.amountTtc - total, credits)
  return credits
}

/** The last may be tiny. Of the others, as many were rounded up as minor units are too much. */
function spread(difference: number, credits: readonly Credit[]): void {
  const others = credits.filter(({ bases }) => bases.length > 0).slice(0, -1)
  const step = Math.sign(difference)
  let left = Math.abs(difference)
  while (left > 0) {
    const able = others.filter(({ amountTtc, bases }) => step > 0 || amountTtc > sum(bases))
    if (able.length === 0) throw new Error(`${left} minor units of a credit note are left`)
    for (const credit of able.slice(0, left)) credit.amountTtc += step
    left -= Math.min(left, able.length)
  }
}
