/** What the page checks while one types is what the service decides afterwards. */

import { mentionFault as decided, mentionNames } from '@einvoicing/organizations/legal-mentions'
import { dueDateError, invoiceDateError } from '@einvoicing/domain/invoice-dates'
import { limits } from '@einvoicing/domain/limits'
import fc from 'fast-check'

// The page is of another compiler's configuration: taken as it is, without its types.
const page = jest.requireActual('../../dashboard/src/organization/mention-checks')
const { dateErrors } = jest.requireActual('../../dashboard/src/invoices/date-checks')
const { passwordLengthMin } = jest.requireActual('../../dashboard/src/session/rules')

const checks = new Proxy({}, { get: () => () => 'at fault' })

const typed = fc.oneof(
  fc.stringMatching(/^[0-9]{13,17}$/),
  fc.stringMatching(/^[0-9]{22,26}$/),
  fc.stringMatching(/^[0-9A-Za-z]{0,22}$/),
  fc.stringMatching(/^[A-Za-z0-9/. -]{1,12}[;,<é٧]?$/),
  fc.stringMatching(/^[a-z]{1,5}@[a-z]{0,5}\.?[a-z]{0,3}$/),
  fc.constantFrom('', ' ', 'x'.repeat(256), 'x'.repeat(257)),
)

test.each(mentionNames)(
  '%s is at fault in the page exactly when the service refuses it',
  (name) => {
    fc.assert(
      fc.property(typed, (text) => {
        const isFault = page.mentionFault(name, text, checks) !== null
        return isFault === (decided(name, text.trim()) !== undefined)
      }),
      { numRuns: 500 },
    )
  },
)

test.each([
  ['ice', '001523467000017', '001523467000018'],
  ['rib', '011780000012345678901296', '011780000012345678901295'],
])('the key of an %s that does not come out is a warning, no fault', (name, right, wrong) => {
  expect(page.mentionWarning(name, right, checks)).toBeNull()
  expect(page.mentionWarning(name, wrong, checks)).not.toBeNull()
  expect(page.mentionFault(name, wrong, checks)).toBeNull()
})

test('a password is long enough for both or for none', () => {
  expect(passwordLengthMin).toBe(limits.passwordLengthMin)
})

const messages = { needed: '1', invoiceDate: '2', dueDate: '3', dueDateLate: '4' }
const days = fc
  .date({ min: new Date('1999-12-01'), max: new Date('2041-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const edges = ['1999-12-31', '2000-01-01', '2027-11-22', '2027-11-23', '2028-02-29', '2037-11-22']
const someDay = fc.oneof(days, fc.constantFrom(...edges, '2037-11-23', '2038-02-28', '2038-03-01'))

test('the dates of an invoice are at fault in the page exactly when the service refuses them', () => {
  const now = new Date('2026-11-21T23:30:00Z')
  fc.assert(
    fc.property(someDay, someDay, (invoiceDate, dueDate) => {
      const found = dateErrors({ invoiceDate, dueDate }, messages, now)
      return (
        'invoiceDate' in found === (invoiceDateError(invoiceDate, now) !== undefined) &&
        'dueDate' in found === (dueDateError(invoiceDate, dueDate) !== undefined)
      )
    }),
    { numRuns: 2_000 },
  )
})
