import { PassThrough } from 'node:stream'
import type { InvoiceStatus } from '@einvoicing/client'
import { statusText } from './decision'
import { Terminal } from './terminal'

const stream = () => new PassThrough() as unknown as NodeJS.WriteStream

test('advises to send a failed invoice again, but not a credit note that was never sent', () => {
  const terminal = new Terminal(stream(), stream())
  const failed = (dgiErrorCode: string) =>
    statusText(
      { id: '7', status: 'FAILED', dgiErrorCode, dgiErrorMessage: null } as InvoiceStatus,
      terminal,
    )
  expect(failed('NO_ANSWER')).toContain('einvoicing resubmit 7')
  expect(failed('DOCUMENT_UNREADABLE')).toContain('Contact the operator')
  expect(failed('PRECEDING_INVOICE_REJECTED')).toContain('It was not sent')
  expect(failed('PRECEDING_INVOICE_REJECTED')).not.toContain('resubmit')
})
