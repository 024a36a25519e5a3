/**
 * What shows an invoice to people names every field that a client may send, where no type can see
 * that one is missing.
 */

import {
  invoiceFieldNames,
  kindFields,
  optionalTextFields,
  structureFields,
  valueFields,
} from '@einvoicing/domain/invoice-fields'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './tree'

const dashboard = 'dashboard/src/invoices'
const moreNames = () => {
  const usual = /const usualFields = \[([^\]]*)\]/.exec(read(`${dashboard}/draft.ts`))?.[1] ?? ''
  return optionalTextFields.filter((name) => !usual.includes(`'${name}'`))
}

// With the fields that other files show.
const shownElsewhere = {
  'services/artefacts/src/pdf/{parties,references,closing,total-rows}.ts': [
    ...['invoiceNumber', 'lines'],
    // Not in the document.
    'buyerType',
    // By what is computed of them.
    ...valueFields,
    // By its title.
    'type',
  ],
  'clients/cli/src/commands/read.ts': [],
  'dashboard/src/invoices/{detail,more-details,preceding-invoices}.tsx': [
    ...['invoiceNumber', 'lines', ...moreNames()],
    ...[...valueFields, ...kindFields],
  ],
}

it.each(Object.entries(shownElsewhere))('%s shows every field', (paths, elsewhere) => {
  const text = expand(paths).map(read).join('\n')
  const isShown = (name: string) =>
    new RegExp(`invoice\\.${name}\\b|{[^}]*\\b${name}\\b[^}]*}( = invoice|: Adjusted)`).test(text)
  const shown = invoiceFieldNames.filter(isShown)
  expect(new Set([...shown, ...elsewhere])).toEqual(new Set(invoiceFieldNames))
})

it('the form of a draft has an input for every field of one value', () => {
  const text = ['draft-form', 'number-field', 'buyer-fields']
    .map((part) => read(`${dashboard}/${part}.tsx`))
    .join('')
  const inputs = [...text.matchAll(/inputProps\(form, '(\w+)'\)/g)].map(([, name]) => name)
  expect(read(`${dashboard}/more-fields.tsx`)).toContain('moreFields.map(')
  expect(
    new Set([
      ...[...inputs, ...moreNames(), 'lines'],
      ...[...Object.keys(structureFields), ...valueFields, ...kindFields],
    ]),
  ).toEqual(new Set(invoiceFieldNames))
})

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** `a/{b,c}.ts` as two paths. */
function expand(paths: string): string[] {
  const [, before = '', names = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(paths) ?? []
  return names ? names.split(',').map((name) => before + name + after) : [paths]
}
