/**
 * What shows an invoice to people names every field that a client may send, where no type can see
 * that one is missing.
 */

import { invoiceFieldNames } from '@einvoicing/domain/invoice-fields'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './tree'

// With the fields that other files show.
const shownElsewhere = {
  'services/artefacts/src/pdf/parties.ts': ['invoiceNumber', 'lines'],
  'clients/cli/src/commands/read.ts': [],
  'dashboard/src/invoices/detail.tsx': ['invoiceNumber', 'lines'],
}

it.each(Object.entries(shownElsewhere))('%s shows every field', (path, elsewhere) => {
  const text = readFileSync(join(root, path), 'utf8')
  const isShown = (name: string) =>
    new RegExp(`invoice\\.${name}\\b|{[^}]*\\b${name}\\b[^}]*} = invoice`).test(text)
  const shown = invoiceFieldNames.filter(isShown)
  expect(new Set([...shown, ...elsewhere])).toEqual(new Set(invoiceFieldNames))
})

it('the form of a draft has an input for every field', () => {
  const parts = ['draft-form', 'number-field', 'buyer-fields']
  const text = parts
    .map((part) => readFileSync(join(root, `dashboard/src/invoices/${part}.tsx`), 'utf8'))
    .join('')
  const inputs = [...text.matchAll(/inputProps\(form, '(\w+)'\)/g)].map(([, name]) => name)
  expect(new Set([...inputs, 'lines'])).toEqual(new Set(invoiceFieldNames))
})
