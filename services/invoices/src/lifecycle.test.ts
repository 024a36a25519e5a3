import { ApiError } from '@einvoicing/domain/api-error'
import { advance, next, steps, table, type Status, type Step } from './lifecycle'

// The specification's transitions (section 3.2) and design.md's additions, written a second time on
// purpose.
const allowed: [Status, Step, Status][] = [
  ['PENDING', 'edit', 'PENDING'],
  ['PENDING', 'cancel', 'CANCELLED'],
  ['PENDING', 'sign', 'SIGNED'],
  ['SIGNED', 'transmit', 'TRANSMITTED'],
  ['SIGNED', 'fail', 'FAILED'],
  ['TRANSMITTED', 'accept', 'ACCEPTED'],
  ['TRANSMITTED', 'reject', 'REJECTED'],
  ['TRANSMITTED', 'fail', 'FAILED'],
  ['FAILED', 'resubmit', 'SIGNED'],
  ['FAILED', 'accept', 'ACCEPTED'],
  ['FAILED', 'reject', 'REJECTED'],
]
const statuses = Object.keys(table) as Status[]
const cells = statuses.flatMap((status) => steps.map((step) => [status, step] as const))

describe('lifecycle', () => {
  it('knows the seven statuses of the interface', () => {
    expect(statuses.toSorted()).toEqual([
      'ACCEPTED',
      'CANCELLED',
      'FAILED',
      'PENDING',
      'REJECTED',
      'SIGNED',
      'TRANSMITTED',
    ])
  })

  it.each(cells)('%s by %s', (status, step) => {
    const to = allowed.find(([from, by]) => from === status && by === step)?.[2]
    expect(next(status, step)).toBe(to)
    if (to) expect(advance({ status }, step)).toBe(to)
    else expect(() => advance({ status }, step)).toThrow(ApiError)
  })

  it('names the status a client cannot start from', () => {
    expect(() => advance({ status: 'ACCEPTED' }, 'edit')).toThrow(
      expect.objectContaining({
        code: 'INVOICE_NOT_EDITABLE',
        message: expect.stringContaining('ACCEPTED') as string,
      }),
    )
    expect(() => advance({ status: 'SIGNED' }, 'resubmit')).toThrow(
      expect.objectContaining({ code: 'INVOICE_NOT_RESUBMITTABLE' }),
    )
  })
})
