import { simpleInvoice } from '../testdata/open-gateway'
import { toRequestContent } from './newer-fields'
import { readInvoiceChanges, readNewInvoice } from './read-body'

const request = (changes: object) =>
  toRequestContent(readNewInvoice(JSON.stringify({ ...simpleInvoice, ...changes })).content)
const [line] = simpleInvoice.lines

it('sends what 0.1 knows as before', () => {
  const { content, newerContent } = request({ purchaseOrderNumber: 'BC-1', note: ' ' })
  expect([content?.purchaseOrderNumber, newerContent]).toEqual(['BC-1', undefined])
})

it.each([
  ['a field', { note: 'x' }],
  ['a structure', { servicePeriod: { from: '2026-01-01' } }],
  ['an allowance', { allowances: [{ amount: 1, reason: 'r' }] }],
  ['a field of a line', { lines: [{ ...line, itemCode: 'A' }] }],
])('leaves 0.1 without content where there is %s that it does not know', (_, changes) => {
  const { content, newerContent } = request(changes)
  expect(content).toBeUndefined()
  expect(newerContent).toBeDefined()
})

it('names newer fields of lines in the mask of a change', () => {
  const readMask = (changes: object) => readInvoiceChanges(JSON.stringify(changes)).updateMask
  expect(readMask({ lines: [line] })).toEqual(['lines'])
  expect(readMask({ lines: [{ ...line, orderLineNumber: '1' }] })).toEqual([
    'lines',
    'lines.order_line_number',
  ])
})
