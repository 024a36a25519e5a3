import { createLog } from '@einvoicing/runtime/log'
import { unavailable } from '@einvoicing/domain/api-error'
import type { Call } from '@einvoicing/rpc/call'
import type { Deps } from './deps'
import { readSignedXml } from './read-signed-xml'
import { anInvoice } from './store/testdata/invoices'

const invoice = anInvoice({ xmlSha256: 'ab' })
const call: Call = {
  caller: { service: 'clearance', organizationId: 'org-1', actor: 'service:clearance' },
  requestId: 'r',
  deadline: Date.now() + 20_000,
}

function depsWith({ isArchiveAway }: { isArchiveAway: boolean }) {
  let marks = 1
  const store = {
    getWithoutLines: async () => invoice,
    readXml: async () => undefined,
    takeNeverSent: async () => marks-- > 0,
  }
  const artefacts = {
    readKeptXml: async () => {
      if (isArchiveAway) throw unavailable('The archive')
      return { content: Buffer.from('<Invoice/>'), mediaType: 'application/xml', sha256: 'ab' }
    },
  }
  const deps = { store, artefacts, log: createLog('silent') } as unknown as Deps
  return { deps, marks: () => marks }
}

it('removes the mark once, for a reader who will send it', async () => {
  const { deps } = depsWith({ isArchiveAway: false })
  const read = (toSubmit: boolean) => readSignedXml(deps, { invoiceId: invoice.id, toSubmit }, call)
  expect(await read(false)).toMatchObject({ neverSent: false })
  expect(await read(true)).toMatchObject({ neverSent: true })
  expect(await read(true)).toMatchObject({ neverSent: false })
})

it('does not read archived XML for a reader who does not want it', async () => {
  const { deps } = depsWith({ isArchiveAway: true })
  const request = { invoiceId: invoice.id, toSubmit: false, unlessArchived: true }
  expect(await readSignedXml(deps, request, call)).toMatchObject({ xml: Buffer.alloc(0) })
})

it('keeps the mark when the document cannot be read', async () => {
  const { deps, marks } = depsWith({ isArchiveAway: true })
  await expect(
    readSignedXml(deps, { invoiceId: invoice.id, toSubmit: true }, call),
  ).rejects.toThrow()
  expect(marks()).toBe(1)
})
