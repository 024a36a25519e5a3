/**
 * Random documents of the three types with allowances, charges, categories and advances: computed
 * by the service, written by the signer, computed again by the platform's own code, and read back
 * by recovery.
 */

import { ApiError } from '@einvoicing/domain/api-error'
import { readOriginal } from '@einvoicing/invoices/recovery/read-original'
import { computeTotals } from '@einvoicing/invoices/totals'
import type { AllowanceCharges, Invoice, LineContent } from '@einvoicing/proto/invoice'
import { assertInvoice } from '@einvoicing/signer/assert-invoice'
import { writeDocument } from '@einvoicing/signer/ubl/document'
import { findAmountError } from '@einvoicing/simulator/examination/amounts'
import { parseXml } from '@einvoicing/simulator/examination/parse-xml'
import { readInvoice } from '@einvoicing/simulator/examination/read-invoice'
import { drawSeed, seededRandom, type Random } from '../stack/random'
import { randomInvoice } from './family'

const invoiceCount = 300
const random = seededRandom(drawSeed('amounts'))

it('agrees with the platform, and reads back what it wrote', () => {
  const drawnTypes = new Set<string | undefined>()
  let checked = 0
  for (let drawn = 0; drawn < 3 * invoiceCount && checked < invoiceCount; drawn += 1) {
    const invoice = drawInvoice(random)
    if (!invoice) continue
    checked += 1
    drawnTypes.add(invoice.type)
    const xml = write(invoice)
    const reported = readInvoice(parseXml(xml))
    expect(findAmountError(reported.amounts)).toBeUndefined()
    expect(reported.typeCode).toBe(typeCodes[invoice.type ?? 'INVOICE'])
    const read = readOriginal(Buffer.from(xml))
    expect(write({ ...invoice, ...read })).toBe(xml)
    for (const name of ['amountHt', 'amountVat', 'amountTtc', 'amountDue'] as const) {
      expect([name, read[name]]).toEqual([name, invoice[name]])
    }
  }
  expect([checked, drawnTypes.size]).toEqual([invoiceCount, 3])
})

const typeCodes: Record<string, string> = {
  INVOICE: '380',
  CREDIT_NOTE: '381',
  PREPAYMENT_INVOICE: '386',
}

const signingTime =
  '<Signature><Object><QualifyingProperties><SignedProperties><SignedSignatureProperties>' +
  '<SigningTime>2026-01-01T00:00:00Z</SigningTime></SignedSignatureProperties>' +
  '</SignedProperties></QualifyingProperties></Object></Signature>'

function write(invoice: Invoice): string {
  const { beforeSignature, afterSignature } = writeDocument(invoice, assertInvoice(invoice))
  return beforeSignature + signingTime + afterSignature
}

/** `undefined` where the allowances exceed the lines. */
function drawInvoice(draw: Random): Invoice | undefined {
  const base = randomInvoice(draw)
  const { vatSubtotals: _, amountHt: __, amountVat: ___, amountTtc: ____, ...plain } = base
  const digits = { JPY: 0, XOF: 0, TND: 3, KWD: 3 }[base.currency] ?? 2
  const amount = () => (draw.int(1, 90_000) / 10 ** digits).toFixed(digits)
  const lines = base.lines.map(({ amountHt: _amount, ...line }): LineContent => ({
    ...line,
    quantity: String(draw.int(1, 50)),
    unitPrice: (draw.int(1, 5_000_000) / 1_000).toString(),
    vatCategory: line.vatRate === 0 ? draw.pick(['E', 'AE', 'G']) : 'S',
    allowances: drawList(draw, amount, 3),
    charges: drawList(draw, amount, 3),
  }))
  const adjustments = {
    allowances: withRates(drawList(draw, amount, 4), lines, draw),
    charges: withRates(drawList(draw, amount, 4), lines, draw),
    prepaidAmount: draw.next() < 0.3 ? amount() : undefined,
    stampDuty: draw.next() < 0.3 ? true : undefined,
    vatWithholdingPercent: draw.next() < 0.3 ? 75 : undefined,
  }
  try {
    const totals = computeTotals(lines, base.currency, adjustments)
    return { ...plain, note: 'n', ...adjustments, ...totals }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function drawList(
  draw: Random,
  amount: () => string,
  countMax: number,
): AllowanceCharges | undefined {
  const items = Array.from({ length: draw.int(0, countMax) }, () => ({
    ...(draw.next() < 0.5 ? { amount: amount() } : { percent: String(draw.int(1, 3_000) / 100) }),
    reason: 'Remise & <frais>',
    reasonCode: undefined,
    shares: [],
  }))
  return items.length === 0 ? undefined : { items }
}

/** An amount belongs to one category and rate; a percentage may be of all. */
function withRates(
  list: AllowanceCharges | undefined,
  lines: readonly LineContent[],
  draw: Random,
): AllowanceCharges | undefined {
  if (!list) return undefined
  const items = list.items.map((item) => {
    const { vatRate, vatCategory } = draw.pick([...lines])
    const isOfAll = item.percent !== undefined && draw.next() < 0.5
    return isOfAll ? item : { ...item, vatRate, vatCategory }
  })
  return { items }
}
