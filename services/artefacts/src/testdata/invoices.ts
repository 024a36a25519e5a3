/** Invoices for tests: one plain one, and ways to vary it. Totals follow design.md, section 3. */

import { minorUnitDigits } from '@einvoicing/domain/currency'
import { Decimal } from '@einvoicing/domain/decimal'
import {
  InvoiceStatus,
  PaymentMethod,
  type Invoice,
  type InvoiceLine,
} from '@einvoicing/proto/invoice'

export type SampleLine = Partial<InvoiceLine> & { description: string }

/**
 * An accepted invoice in dirhams, unless `changes` say otherwise; amounts computed from the lines.
 */
export function sampleInvoice(changes: Partial<Invoice> = {}): Invoice {
  const currency = changes.currency ?? 'MAD'
  const lines = (changes.lines ?? sampleLines()).map((line) => totalled(line, currency))
  const vatSubtotals = subtotals(lines)
  const amountHt = lines.reduce((sum, line) => sum + line.amountHt, 0)
  const amountVat = vatSubtotals.reduce((sum, { vatAmount }) => sum + vatAmount, 0)
  return {
    id: '0191f6a0-5b1c-7d2e-8f3a-4b5c6d7e8f90',
    organizationId: '7b0e8f0a-1c2d-4e3f-9a4b-5c6d7e8f9012',
    status: InvoiceStatus.ACCEPTED,
    issuer: sampleIssuer,
    invoiceNumber: 'F-2026-000123',
    invoiceDate: '2026-05-03',
    currency,
    paymentMethod: PaymentMethod.BANK_TRANSFER,
    buyerIce: '002345678000076',
    buyerName: 'Société Atlas Distribution SARL',
    buyerAddress: '27, avenue Mohammed V, 20250 Casablanca',
    dueDate: '2026-06-02',
    amountHt,
    amountVat,
    amountTtc: amountHt + amountVat,
    vatSubtotals,
    signedAt: '2026-05-03T14:32:07.123Z',
    dgiReference: 'DGI-2026-7F3A9C21',
    dgiQrCode: 'https://verification.example.ma/verify?p=eyJyIjoiREdJLTIwMjYtN0YzQTlDMjEiLCJoIjoiYWJjZGVmIn0',
    dgiSubmittedAt: '2026-05-03T14:32:08.000Z',
    dgiValidatedAt: '2026-05-03T14:32:11.000Z',
    createdAt: '2026-05-03T14:32:07.100Z',
    updatedAt: '2026-05-03T14:32:11.100Z',
    ...changes,
    lines,
  }
}

/** As it stands before the tax authority has decided. */
export function awaitingInvoice(changes: Partial<Invoice> = {}): Invoice {
  return sampleInvoice({
    status: InvoiceStatus.TRANSMITTED,
    dgiReference: undefined,
    dgiQrCode: undefined,
    dgiValidatedAt: undefined,
    ...changes,
  })
}

export function sampleLine({ description, ...changes }: SampleLine, lineNumber = 1): InvoiceLine {
  const priced = { quantity: '1', unitPrice: '100', vatRate: 20, amountHt: 0 }
  return { lineNumber, description, ...priced, ...changes }
}

function sampleLines(): InvoiceLine[] {
  return [
    sampleLine({ description: 'Ordinateur portable 14″, 16 Go', quantity: '3', unitPrice: '8450.50', unit: 'pièce' }, 1),
    sampleLine({ description: 'Installation et paramétrage sur site', quantity: '2.5', unitPrice: '600', unit: 'heure' }, 2),
    sampleLine({ description: 'Transport', unitPrice: '350', vatRate: 14 }, 3),
  ]
}

export const sampleIssuer = {
  name: 'Maghreb Informatique & Services',
  legalForm: 'SARL',
  capital: '500000',
  address: '14, rue Ibn Batouta, quartier Gauthier',
  city: '20060 Casablanca',
  ice: '001234567000089',
  if: '40123456',
  rc: '345678',
  tp: '35987654',
  cnss: '7654321',
  rib: '011780000012345678901234',
  phone: '+212 5 22 00 11 22',
  email: 'comptabilite@maghreb-informatique.example',
}

function totalled(line: InvoiceLine, currency: string): InvoiceLine {
  const amount = Decimal.parse(line.quantity).times(Decimal.parse(line.unitPrice))
  return { ...line, amountHt: Number(amount.toMinorUnits(minorUnitDigits(currency))) }
}

function subtotals(lines: InvoiceLine[]): Invoice['vatSubtotals'] {
  const rates = [...new Set(lines.map(({ vatRate }) => vatRate))].sort((a, b) => b - a)
  return rates.map((vatRate) => {
    const ofRate = lines.filter((line) => line.vatRate === vatRate)
    const taxableAmount = ofRate.reduce((sum, { amountHt }) => sum + amountHt, 0)
    const vat = Decimal.fromMinorUnits(taxableAmount, 0).times(Decimal.fromNumber(vatRate))
    return { vatRate, taxableAmount, vatAmount: Number(vat.shiftedRight(2).toMinorUnits(0)) }
  })
}
