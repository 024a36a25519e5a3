/** Invoices made up for a load: all of one run to a buyer of its own, so that they are counted. */

import { randomInt } from 'node:crypto'
import type { NewInvoice } from '@einvoicing/client'

/** 15 digits; never one of those that the simulator gives a meaning, which begin with zeros. */
export function newBuyerIce(): string {
  return `9${Array.from({ length: 14 }, () => randomInt(10)).join('')}`
}

const goods = ['Conseil', 'Transport', 'Maintenance', 'Formation', 'Papier A4, ramette']
const rates = [0, 7, 10, 14, 20] as const

/** Of one to five lines. The run's first invoice has `index` 0. */
export function generatedInvoice(buyerIce: string, index: number): NewInvoice {
  const lines = Array.from({ length: randomInt(1, 6) }, (_, at) => ({
    lineNumber: at + 1,
    description: goods[randomInt(goods.length)] ?? '',
    quantity: randomInt(1, 20),
    unitPrice: `${randomInt(1, 5_000)}.${String(randomInt(100)).padStart(2, '0')}`,
    vatRate: rates[randomInt(rates.length)] ?? 20,
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
