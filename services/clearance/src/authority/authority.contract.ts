import { randomUUID } from 'node:crypto'
import type { Answer, Authority } from './authority'

export function authorityContract(open: () => Promise<Authority>): void {
  let authority: Authority
  beforeEach(async () => {
    authority = await open()
  })
  afterEach(() => authority.close())

  const xml = Buffer.from('<Invoice/>')
  const seen: Answer['kind'][] = ['processing', 'accepted', 'rejected']

  it('does not find what was never submitted', async () => {
    expect(await authority.find(randomUUID())).toEqual({ kind: 'unknown' })
    expect(await authority.read(randomUUID())).toEqual({ kind: 'unknown' })
  })

  it('finds a submission by our id and by the platform’s', async () => {
    const invoiceId = randomUUID()
    const received = await authority.submit(invoiceId, xml)
    if (received.kind !== 'received') throw new Error(`not received but ${received.kind}`)
    const { submissionId } = received
    for (const found of [await authority.find(invoiceId), await authority.read(submissionId)]) {
      expect(seen).toContain(found.kind)
      expect(found).toMatchObject({ submissionId })
    }
  })

  it('accepts the same invoice once, however often it is sent', async () => {
    const invoiceId = randomUUID()
    const first = await authority.submit(invoiceId, xml)
    expect(first.kind).toBe('received')
    expect(await authority.submit(invoiceId, xml)).toEqual(first)
  })

  it('keeps invoices apart', async () => {
    const [one, other] = [
      await authority.submit(randomUUID(), xml),
      await authority.submit(randomUUID(), xml),
    ]
    expect(one).toMatchObject({ kind: 'received' })
    expect(other).toMatchObject({ kind: 'received' })
    expect(one).not.toEqual(other)
  })

  it('reaches the platform', async () => {
    await expect(authority.reach()).resolves.toBeUndefined()
  })
}
