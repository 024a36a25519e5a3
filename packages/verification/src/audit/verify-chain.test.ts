import {
  EarlierEntries,
  emptyChain,
  linkEntry,
  type ChainedEntry,
  type ChainHead,
} from '@einvoicing/runtime/audit-chain'
import { verifyChain, type ChainFinding } from './verify-chain'

const organizationId = '7b0e8f0a-1c2d-4e3f-9a4b-5c6d7e8f9012'
const chain = `invoices/${organizationId}`
const at = '2026-11-28T03:00:00.000Z'

/** One entry for each document, after the beginning. */
function linkEntries(documents: readonly string[]): ChainedEntry[] {
  let head: ChainHead = emptyChain
  const contents = documents.map((documentSha256, index) => ({
    at,
    actor: 'test',
    action: 'invoice.signed',
    invoiceId: `invoice-${index + 2}`,
    documentSha256,
  }))
  return [new EarlierEntries(chain).begin(at), ...contents].map((content) => {
    const link = linkEntry(chain, head, content)
    head = link
    return { ...content, ...link }
  })
}

async function verify(entries: ChainedEntry[], isMissing: (sha256: string) => boolean) {
  const { seq = 0, hash = '' } = entries.at(-1) ?? {}
  const chains = {
    readAuditChain: async (_id: string, after: string | undefined, count: number) =>
      entries
        .map((entry, index) => ({ entry, position: String(index).padStart(6, '0') }))
        .filter(({ position }) => after === undefined || position > after)
        .slice(0, count),
  }
  const head = { organizationId, seq, hash }
  const findDocument = async (_id: string, invoiceId: string, sha256: string) =>
    isMissing(sha256) ? `${invoiceId} is missing` : undefined
  const found: ChainFinding[] = []
  for await (const one of verifyChain(chains, { chain, head, marks: [] }, findDocument)) {
    found.push(one)
  }
  return found
}

test('a missing document does not end the verification of its chain', async () => {
  const entries = linkEntries(['aa', 'bb', 'cc'])
  const missing = { kind: 'document', organizationId, seq: 2, problem: 'invoice-2 is missing' }
  expect(await verify(entries, (sha256) => sha256 === 'aa')).toEqual([
    missing,
    { kind: 'chain', organizationId, entries: 4 },
  ])
  entries[3] = { ...entries[3]!, documentSha256: 'dd' }
  expect(await verify(entries, (sha256) => sha256 === 'aa')).toEqual([
    missing,
    expect.objectContaining({ kind: 'chain', entries: 3, seq: 4, problem: expect.any(String) }),
  ])
})
