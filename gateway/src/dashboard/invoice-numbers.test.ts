import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { Call, Service } from '@einvoicing/rpc/call'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import { smallInvoices } from '../testdata/small-services'
import { InvoiceNumbers } from './invoice-numbers'

const toEntry = (invoiceId?: string): AuditEntry => ({ at: '', actor: '', action: '', invoiceId })

let requested: string[][]
beforeEach(() => (requested = []))

function open(readNumbers?: Service<InvoicesService>['readNumbers']) {
  const invoices = {
    ...smallInvoices(),
    getInvoice: async () => {
      throw new Error('a whole invoice was read')
    },
    readNumbers:
      readNumbers ??
      (async ({ invoiceIds }) => {
        requested.push(invoiceIds)
        const known = invoiceIds.filter((id) => id !== 'unknown')
        return { numbers: known.map((id) => ({ invoiceId: id, invoiceNumber: `F-${id}` })) }
      }),
  }
  return new InvoiceNumbers(invoices, () => ({}) as Call)
}

test('one call reads the numbers of a page, each once', async () => {
  const numbers = open()
  const entries = ['1', undefined, '2', '1', 'unknown'].map(toEntry)
  expect(await numbers.find(entries)).toEqual(['F-1', null, 'F-2', 'F-1', null])
  expect(requested).toEqual([['1', '2', 'unknown']])

  expect(await numbers.find(['3', '1', 'unknown'].map(toEntry))).toEqual(['F-3', 'F-1', null])
  expect(requested.slice(1)).toEqual([['3']])
})

test('entries without an invoice need no call', async () => {
  const numbers = open()
  expect(await numbers.find([toEntry()])).toEqual([null])
  expect(requested).toEqual([])
})

test('there are no numbers before the invoices service is upgraded', async () => {
  const numbers = open(() => Promise.reject(new Error('x', { cause: { code: 12 } })))
  expect(await numbers.find([toEntry('1')])).toEqual([null])
})

test('other errors are not hidden', async () => {
  const numbers = open(() => Promise.reject(new Error('x', { cause: { code: 13 } })))
  await expect(numbers.find([toEntry('1')])).rejects.toThrow('x')
})
