/**
 * Golden documents: `testdata/x.json` must become `testdata/x.xml`, byte for byte. `UPDATE=1`
 * rewrites them, to be read in review.
 */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Invoice } from '@einvoicing/proto/invoice'
import { assertInvoice } from '../assert-invoice'
import { writeDocument } from './document'

const testdata = join(__dirname, '..', 'testdata')
const names = readdirSync(testdata)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))

it.each(names)('writes %s', (name) => {
  const json = readFileSync(join(testdata, `${name}.json`), 'utf8')
  const invoice = JSON.parse(json) as Invoice
  const { beforeSignature, afterSignature } = writeDocument(invoice, assertInvoice(invoice))
  const golden = join(testdata, `${name}.xml`)
  if (process.env['UPDATE']) writeFileSync(golden, beforeSignature + afterSignature)
  expect(beforeSignature + afterSignature).toBe(readFileSync(golden, 'utf8'))
})
