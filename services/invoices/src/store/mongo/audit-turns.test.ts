import type { Mongo } from '@einvoicing/stores/mongo'
import type { Chain } from '@einvoicing/stores/mongo-audit-chain'
import { auditReads } from './audit-entries'

it('at most four pages of the audit log are at work at once', async () => {
  const ends: (() => void)[] = []
  const read = () => new Promise((resolve) => ends.push(() => resolve([])))
  const { listAudit } = auditReads({ read } as unknown as Mongo, { links: {} } as unknown as Chain)
  const pages = Array.from({ length: 60 }, () => listAudit('org-1', { page: 0, size: 10_000 }))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  let answered = 0
  for (await settle(); ends.length > 0; await settle()) {
    expect(ends.length).toBeLessThanOrEqual(4)
    answered += ends.length
    for (const end of ends.splice(0)) end()
  }
  await Promise.all(pages)
  // One of what is not copied yet, and one of the page.
  expect(answered).toBe(2 * 60)
})
