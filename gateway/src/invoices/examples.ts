import type { Invoice } from '@einvoicing/proto/invoice'
import {
  presentCreated,
  presentInvoice,
  presentListed,
  presentPage,
  presentStatus,
} from './present'
import { sandboxInvoices, sandboxSummaries } from './sandbox-examples'

const content = {
  invoiceNumber: 'F-2026-0001',
  invoiceDate: '2026-05-03',
  dueDate: '2026-06-02',
  currency: 'MAD',
  paymentMethod: 'BANK_TRANSFER',
  buyerIce: '001525714000070',
  buyerName: 'Atlas Distribution SARL',
  buyerAddress: '5, rue Ibn Sina, Rabat',
} as const

const advice = { lineNumber: 1, description: 'Conseil', unit: 'jour', vatRate: 20 }
const transport = { lineNumber: 2, description: 'Transport', vatRate: 14 }

export const newInvoiceExamples = {
  invoice: {
    ...content,
    lines: [
      { ...advice, quantity: 2, unitPrice: 4500 },
      { ...transport, quantity: 1, unitPrice: 120.5 },
    ],
  },
  least: {
    invoiceNumber: 'F-2026-0002',
    invoiceDate: '2026-05-03',
    currency: 'MAD',
    paymentMethod: 'CASH',
    lines: [{ lineNumber: 1, description: 'Conseil', quantity: 1, unitPrice: 100, vatRate: 0 }],
  },
  draft: {
    ...content,
    invoiceNumber: 'F-2026-0003',
    draft: true,
    lines: [{ ...advice, quantity: 2, unitPrice: 4500 }],
  },
  creditNote: {
    type: 'CREDIT_NOTE',
    invoiceNumber: 'AV-2026-0001',
    invoiceDate: '2026-05-03',
    currency: 'MAD',
    paymentMethod: 'BANK_TRANSFER',
    precedingInvoices: [{ invoiceNumber: 'F-2025-0117', invoiceDate: '2025-12-01' }],
    correctionReason: 'Retour de marchandise',
    lines: [{ ...advice, quantity: 1, unitPrice: 4500 }],
  },
  ...sandboxInvoices({ ...content, lines: [{ ...advice, quantity: 2, unitPrice: 4500 }] }),
}

export const newInvoiceExampleSummaries = {
  invoice: 'Two lines with two VAT rates',
  least: 'Minimal invoice: no buyer, paid in cash, exempt from VAT',
  draft: 'A draft, to edit and sign later',
  creditNote: 'A credit note for an invoice issued elsewhere',
  ...sandboxSummaries,
}

export const changeExamples = {
  oneField: { buyerName: 'Atlas Distribution SA' },
  clearing: { dueDate: null },
  lines: { lines: [{ ...advice, quantity: 3, unitPrice: 4500 }] },
}

export const organizationId = '6f2c1f0e-4d0b-4c53-9a38-0d2b7c1f5e11'
export const invoiceId = '0198d1a4-7c3e-7b21-9f5d-3a6c8e2b4d70'

const signed: Invoice = {
  ...content,
  id: invoiceId,
  organizationId,
  status: 'SIGNED',
  issuer: {
    name: 'Atelier Nord SARL',
    ice: '001523467000017',
    legalForm: 'SARL',
    capital: '',
    address: '12, rue des Orangers',
    city: 'Rabat',
    if: '12345678',
    rc: '123456',
    tp: '35791113',
    cnss: '',
    rib: '',
    phone: '',
    email: '',
  },
  lines: [
    { ...advice, quantity: '2', unitPrice: '4500', amountHt: 900_000 },
    { ...transport, quantity: '1', unitPrice: '120.5', amountHt: 12_050 },
  ],
  amountHt: 912_050,
  amountVat: 181_687,
  amountTtc: 1_093_737,
  vatSubtotals: [],
  createdAt: '2026-05-03T09:30:00.000Z',
  updatedAt: '2026-05-03T09:30:00.000Z',
}

const submitted = { dgiSubmittedAt: '2026-05-03T09:30:00.400Z' }

const accepted: Invoice = {
  ...signed,
  ...submitted,
  status: 'ACCEPTED',
  dgiReference: 'SIM-2026-0000000042',
  dgiQrCode: 'http://127.0.0.1:8090/v/16-uYwK2p9cXb1t',
  dgiQrPayload: 'eyJ2IjoxfQ',
  dgiValidatedAt: '2026-05-03T09:30:01.000Z',
  updatedAt: '2026-05-03T09:30:01.000Z',
}

const rejected: Invoice = {
  ...signed,
  ...submitted,
  status: 'REJECTED',
  dgiErrorCode: 'BUYER_UNKNOWN',
  dgiErrorMessage: 'The buyer is unknown.',
  dgiRejectedAt: '2026-05-03T09:30:01.000Z',
  updatedAt: '2026-05-03T09:30:01.000Z',
}

const creditNote: Invoice = {
  ...signed,
  type: 'CREDIT_NOTE',
  id: '0198d6ca-d83e-7c35-8c0e-6f1b7a9d2e54',
  invoiceNumber: 'AV-2026-0002',
  invoiceDate: '2026-05-04',
  dueDate: undefined,
  precedingInvoices: {
    items: [{ id: invoiceId, invoiceNumber: 'F-2026-0001', invoiceDate: '2026-05-03' }],
  },
  correctionReason: 'Retour de marchandise',
  createdAt: '2026-05-04T08:15:00.000Z',
  updatedAt: '2026-05-04T08:15:00.000Z',
}

const pageUrl = 'https://invoices.example.ma/v/AZjWydqIfGaQGH0tN6xOFflL0XyTNe2mYs4'

const pending: Invoice = { ...signed, status: 'PENDING' }
const cancelled: Invoice = { ...signed, status: 'CANCELLED' }

export const answerExamples = {
  created: { signed: presentCreated(signed, pageUrl), draft: presentCreated(pending) },
  read: {
    accepted: presentInvoice(accepted, pageUrl),
    rejected: presentInvoice(rejected, pageUrl),
  },
  status: { accepted: presentStatus(accepted), rejected: presentStatus(rejected) },
  page: { one: presentPage([presentListed(accepted)], { page: 0, size: 20 }, 1) },
  changed: { pending: presentInvoice(pending) },
  signed: { signed: presentInvoice(signed, pageUrl) },
  cancelled: { cancelled: presentInvoice(cancelled) },
  credited: { signed: presentCreated(creditNote, pageUrl) },
}
