/** Whether what is kept is what was sent: how a creation whose answer was lost is recognized. */

import type { Invoice } from './schemas'

/**
 * The fields that differ, by their path; empty for the same invoice. What is blank or `null` is not
 * given, as the service reads it.
 */
export function differencesFrom(sentJson: string, kept: Invoice): string[] {
  const sent = JSON.parse(sentJson) as Record<string, unknown>
  return [
    ...invoiceFields.filter((name) => name in sent && !isSame(sent[name], kept[name])),
    ...('lines' in sent ? lineDifferences(sent['lines'], kept.lines) : []),
  ]
}

/**
 * As `differencesFrom`, of a creation: a field that is kept and was not sent differs too, and so
 * does the status of what rests as a draft and was not sent as one.
 */
export function differencesFromWhole(sentJson: string, kept: Invoice): string[] {
  const sent = JSON.parse(sentJson) as Record<string, unknown>
  const cleared = Object.fromEntries(invoiceFields.map((name) => [name, null]))
  const isUnsigned = kept.status === 'PENDING' || kept.status === 'CANCELLED'
  return [
    ...differencesFrom(JSON.stringify({ ...cleared, ...sent }), kept),
    ...(isUnsigned && sent['draft'] !== true ? ['status'] : []),
  ]
}

const invoiceFields = [
  'invoiceNumber',
  'invoiceDate',
  'dueDate',
  'currency',
  'paymentMethod',
  'buyerIce',
  'buyerName',
  'buyerAddress',
] as const

const lineFields = [
  'lineNumber',
  'description',
  'quantity',
  'unitPrice',
  'vatRate',
  'unit',
  'vatExemptionReason',
] as const

function lineDifferences(sent: unknown, kept: Invoice['lines']): string[] {
  if (!Array.isArray(sent) || sent.length !== kept.length) return ['lines']
  const lines = sent as Record<string, unknown>[]
  return kept.flatMap((line, index) =>
    lineFields
      .filter((name) => !isSame(lines[index]?.[name], line[name]))
      .map((name) => `lines[${index}].${name}`),
  )
}

// Numbers are compared as numbers are read: both sides come to the nearest one of the same digits.
const isSame = (sent: unknown, kept: unknown) => given(sent) === given(kept)

function given(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null
  // Numbers of invoices are kept in NFC, whatever form was sent.
  return value.trim() === '' ? null : value.normalize('NFC')
}
