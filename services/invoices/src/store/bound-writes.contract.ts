import { boundWrites } from './bound-writes'
import type { InvoiceStore } from './store'
import { anInvoice, listRequest, signedWrite, write } from './testdata/invoices'

export function boundWritesContract(opened: () => InvoiceStore): void {
  it('rejects waiting writes over the memory limit, and stores none of them', async () => {
    const bound = boundWrites(opened(), 1_000_000)
    const sized = (bytes: number) => {
      const invoice = anInvoice()
      return {
        ...signedWrite(invoice),
        xml: Buffer.alloc(bytes - 4 * 1024 - 1024 * invoice.lines.length),
      }
    }
    const attempts = Array.from({ length: 12 }, () => sized(100_000))
    const outcomes = await Promise.allSettled(attempts.map((attempt) => bound.create(attempt)))
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(2)
    for (const apiError of refused) {
      const reason = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 }
      expect(apiError).toMatchObject({ reason })
    }
    expect((await opened().list('org-1', listRequest())).total).toBe(10)
    // What was written is held no more.
    expect(await bound.create(sized(1_000_000))).toBe('created')
    await expect(bound.create(sized(1_000_001))).rejects.toMatchObject({ retryAfterSeconds: 5 })
  })

  it('stores what is changed together over the limit, while nothing else waits', async () => {
    const bound = boundWrites(opened(), 10_000)
    const together = () =>
      bound.changeTogether(
        [anInvoice(), anInvoice()].map((invoice) => ({ seen: undefined, write: write(invoice) })),
      )
    const outcomes = await Promise.allSettled([together(), together()])
    expect(outcomes).toMatchObject([
      { value: 'changed' },
      { reason: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 } },
    ])
    expect(await together()).toBe('changed')
  })
}
