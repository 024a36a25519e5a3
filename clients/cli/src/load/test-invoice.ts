import { randomInt } from 'node:crypto'
import type { NewInvoice } from '@einvoicing/client'
import { vatRates } from '@einvoicing/profile/vat'

/** 15 digits. Those that the simulator gives a meaning begin with zeros. */
export function newBuyerIce(): string {
  return `9${Array.from({ length: 14 }, () => randomInt(10)).join('')}`
}

const goods = ['Conseil', 'Transport', 'Maintenance', 'Formation', 'Papier A4, ramette']

/** Of one to five lines. The run's first invoice has `index` 0. */
export function createTestInvoice(buyerIce: string, index: number): NewInvoice {
  const lines = Array.from({ length: randomInt(1, 6) }, (_, at) => ({
    lineNumber: at + 1,
    description: goods[randomInt(goods.length)] ?? '',
    quantity: randomInt(1, 20),
    unitPrice: `${randomInt(1, 5_000)}.${String(randomInt(100)).padStart(2, '0')}`,
    vatRate: vatRates[randomInt(vatRates.length)] ?? 20,
  }))
  return {
    invoiceNumber: `LOAD-${buyerIce}-${String(index + 1).padStart(6, '0')}`,
    invoiceDate: new Date().toISOString().slice(0, 10),
    currency: 'MAD',
    paymentMethod: 'BANK_TRANSFER',
    buyerName: 'einvoicing load',
    buyerIce,
    lines,
  }
}
