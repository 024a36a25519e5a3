/** The largest document that a request can become is one that can be verified and transmitted. */

import { limits } from '@einvoicing/domain/limits'
import { readNewInvoice } from '@einvoicing/gateway/invoices/read-body'
import { computeTotals } from '@einvoicing/invoices/totals'
import { vatRates, formerVatRates } from '@einvoicing/profile/vat'
import type { Invoice, LegalMentions } from '@einvoicing/proto/invoice'
import { writeDocument } from '@einvoicing/signer/ubl/document'
import { platformLimits } from '@einvoicing/simulator/limits'

const evidenceBytes = 1024 * 1024

// An ampersand takes five bytes in XML: no other character takes as many for one byte of JSON.
const text = (length: number) => '&'.repeat(length)
const repeat = <T>(count: number, toItem: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => toItem(index))

const rates = [...vatRates, ...formerVatRates]

/** Each rate, so that those of the document have as many elements; the others exempt: most text. */
const line = (index: number) => {
  const vatRate = rates[index] ?? 0
  // Distinct, to be written twice.
  const reason = `${index}${text(limits.vatExemptionReasonLength)}`
  return {
    lineNumber: index + 1,
    description: text(1),
    quantity: 1_000_000_000,
    unitPrice: 1,
    vatRate,
    ...(vatRate === 0 && { vatExemptionReason: reason.slice(0, limits.vatExemptionReasonLength) }),
    allowances: [{ percent: 1, reason: text(1) }],
    charges: [{ percent: 1, reason: text(1) }],
  }
}

function largestBody(): string {
  const adjustments = repeat(limits.allowanceCount, () => ({
    percent: 1,
    reason: text(limits.allowanceReasonLength),
  }))
  const lines: (ReturnType<typeof line> & { note?: string })[] = repeat(limits.lineCount, line)
  const body = {
    type: 'CREDIT_NOTE',
    precedingInvoices: repeat(limits.precedingInvoiceCount, (index) => ({
      invoiceNumber: `${index}${text(limits.invoiceNumberLength - 2)}`,
      invoiceDate: '2026-01-01',
    })),
    correctionReason: text(limits.correctionReasonLength),
    invoiceNumber: text(limits.invoiceNumberLength),
    invoiceDate: '2026-05-03',
    currency: 'MAD',
    paymentMethod: 'CASH',
    buyerName: text(limits.buyerNameLength),
    buyerAddress: text(limits.buyerAddressLength),
    note: text(limits.noteLength),
    paymentTerms: text(limits.paymentTermsLength),
    allowances: adjustments,
    charges: adjustments,
    lines,
  }
  let left = limits.bodyBytes - JSON.stringify(body).length
  for (const each of lines) {
    const added = Math.min(limits.lineDescriptionLength - 1, left)
    each.description += text(added)
    left -= added
  }
  for (const each of lines) {
    const added = Math.min(limits.lineNoteLength, left - '"note":"",'.length)
    if (added <= 0) break
    each.note = text(added)
    left -= added + '"note":"",'.length
  }
  return JSON.stringify(body)
}

it('fits, with its evidence, what verification and the platform accept', () => {
  const json = largestBody()
  expect(json.length).toBeGreaterThan(limits.bodyBytes - 20)
  expect(json.length).toBeLessThanOrEqual(limits.bodyBytes)
  expect(2 * limits.lineCount).toBe(limits.lineAdjustmentCount)
  const { content } = readNewInvoice(json)
  const issuer = new Proxy({} as LegalMentions, { get: () => text(limits.mentionLength) })
  const totals = computeTotals(content.lines, content.currency, content)
  const { afterSignature } = writeDocument({ ...content, ...totals } as Invoice, issuer)
  const bytes = Buffer.byteLength(afterSignature) + evidenceBytes
  expect(bytes).toBeGreaterThan(14 * 1024 * 1024)
  expect(bytes).toBeLessThan(limits.verifiedBytes)
  expect(bytes).toBeLessThan(platformLimits.documentBytes)
  expect(afterSignature.split('<').length).toBeLessThan(platformLimits.tagCount)
})
