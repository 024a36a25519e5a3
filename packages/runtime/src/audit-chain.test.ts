import { emptyChain, hashEntry, linkEntry } from './audit-chain'

const chain = 'invoices/7b0e8f0a-1c2d-4e3f-9a4b-5c6d7e8f9012'
const entry = {
  at: '2026-11-22T11:00:00.000Z',
  actor: 'api-key:0191f6a0-5b1c-7d2e-8f3a-4b5c6d7e8f90',
  action: 'invoice.created',
  invoiceId: '0191f6a0-5b1c-7d2e-8f3a-4b5c6d7e8f90',
  to: 'SIGNED',
  documentSha256: 'a'.repeat(64),
}

it('hashes as documented, so that another program can check the chain', () => {
  expect(linkEntry(chain, emptyChain, entry)).toEqual({
    seq: 1,
    previous: '0'.repeat(64),
    hash: 'b9fc689650c74aeb706c4d5d0d95d393c32727a668f1a503ce8bc7696bd8bbb2',
  })
})

it('gives another hash for any other field, and none can pass for two', () => {
  const changes = [
    ...[{ at: 'x' }, { actor: 'x' }, { action: 'x' }, { invoiceId: 'x' }, { from: 'SIGNED' }],
    ...[{ to: undefined }, { detail: '' }, { documentSha256: undefined }, { detail: 'é\n1:x' }],
    ...[{ network: '192.0.2.1' }, { device: '192.0.2.1' }, { network: '', device: 'x' }],
  ]
  const link = { seq: 1, previous: emptyChain.hash }
  const hashes = [{}, ...changes].map((change) => hashEntry(chain, link, { ...entry, ...change }))
  hashes.push(hashEntry('invoices/other', link, entry))
  hashes.push(hashEntry(chain, { ...link, seq: 2 }, entry))
  hashes.push(hashEntry(chain, { ...link, previous: '1'.repeat(64) }, entry))
  expect(new Set(hashes).size).toBe(hashes.length)
})
