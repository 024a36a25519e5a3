import { PassThrough } from 'node:stream'
import { unavailable } from '@einvoicing/domain/api-error'
import { joinLocally, type Call, type Contract, type Service } from '@einvoicing/rpc/call'
import { connectRpc } from '@einvoicing/rpc/client'
import { serveRpc } from '@einvoicing/rpc/server'
import { createLog } from '@einvoicing/runtime/log'
import { Invoice } from '@einvoicing/proto/invoice'
import { SignerService, type SignedDocument } from '@einvoicing/proto/signer'
import { batchSignatures } from './batch-signatures'
import { sha256 } from './testdata/neighbours'

const callerSecrets = { shared: ['a secret that all services share'] } as const

let opened: { close(): Promise<void> | void }[] = []
let called: string[]
/** Each call waits for it. */
let gate: Promise<void>
beforeEach(() => {
  called = []
  gate = Promise.resolve()
})
afterEach(async () => {
  for (const part of opened.reverse()) await part.close()
  opened = []
})

function createCall(withinMs = 5_000): Call {
  const caller = { service: 'invoices', organizationId: 'org-1', actor: 'api-key:key-1' } as const
  return { caller, requestId: 'r', deadline: Date.now() + withinMs }
}

function toDocument(invoice: Invoice): SignedDocument {
  const xml = Buffer.from(invoice.id)
  return { xml, sha256: sha256(xml), signedAt: '2026-01-01T00:00:00.000Z' }
}

const error = { code: 'SERVICE_UNAVAILABLE', message: 'no key', retryAfterSeconds: 3 }

/** A signer that notes each call, and refuses invoices whose id says so. */
const handlers: Service<SignerService> = {
  async signDocument({ invoice }) {
    called.push('one')
    await gate
    if (invoice?.id === 'refused') throw new Error('refused')
    return toDocument(invoice!)
  },
  async signDocuments({ documents }) {
    called.push(String(documents.length))
    await gate
    const invoices = documents.map(({ invoice }) => Invoice.decode(invoice))
    const results = invoices.map((invoice) =>
      invoice.id === 'refused'
        ? { document: undefined, error }
        : { document: toDocument(invoice), error: undefined },
    )
    return { results }
  },
  getCertificate: async () => ({ notAfter: '2030-01-01T00:00:00.000Z' }),
  checkSigner: async () => ({ dependencies: [] }),
}

async function byWire(contract: Contract): Promise<Service<SignerService>> {
  const log = createLog('info', new PassThrough())
  const options = { name: 'signer', address: '127.0.0.1:0', callerSecrets, log } as const
  const methods = Object.entries(handlers).filter(([method]) => method in contract)
  const served = Object.fromEntries(methods) as unknown as Service<Contract>
  const server = await serveRpc(contract, served, options)
  const client = connectRpc(SignerService, {
    address: `127.0.0.1:${server.port}`,
    callerSecrets,
  })
  opened.push(server, client)
  return client.service
}

const { signDocuments: _, ...contractBefore } = SignerService
const invoiceWith = (id: string): Invoice => ({ ...Invoice.decode(new Uint8Array()), id })

describe.each([
  ['joined locally', async () => joinLocally('signer', handlers), ['one', '3']],
  ['by wire', () => byWire(SignerService), ['one', '3']],
  ['of the release before', () => byWire(contractBefore), ['one', 'one', 'one', 'one']],
])('a signer %s', (_name, open, calls) => {
  it('signs together what waits while it signs, each with a document or an error', async () => {
    let answer = (): void => undefined
    gate = new Promise((resolve) => (answer = resolve))
    const { signDocument } = batchSignatures(await open())
    const sign = (id: string) => signDocument({ invoice: invoiceWith(id) }, createCall())
    const first = sign('first')
    while (called.length === 0) await new Promise(setImmediate)
    const later = Promise.allSettled(['a', 'refused', 'b'].map(sign))
    await new Promise(setImmediate)
    answer()
    expect((await first).xml.toString()).toBe('first')
    const [a, refused, b] = await later
    expect([a, b]).toMatchObject([
      { value: { sha256: sha256(Buffer.from('a')) } },
      { value: { sha256: sha256(Buffer.from('b')) } },
    ])
    expect(refused).toMatchObject({ status: 'rejected' })
    expect(called.toSorted()).toEqual(calls.toSorted())
  })
})

it('returns the signer’s error for each', async () => {
  const { signDocument } = batchSignatures(handlers)
  const sign = (id: string) => signDocument({ invoice: invoiceWith(id) }, createCall())
  const [good, refused] = await Promise.allSettled([sign('good'), sign('refused')])
  expect(good.status).toBe('fulfilled')
  expect(refused).toMatchObject({ reason: error })
})

it('holds at most sixteen, and no more bytes than an answer may have', async () => {
  const { signDocument } = batchSignatures(handlers)
  const sign = (invoice: Invoice) => signDocument({ invoice }, createCall())
  const many = Array.from({ length: 40 }, (_value, at) => sign(invoiceWith(`invoice ${at}`)))
  await Promise.all(many)
  expect(called).toEqual(['16', '16', '8'])
  called = []
  const large = () => ({ ...invoiceWith('large'), buyerName: 'x'.repeat(300 * 1024) })
  await Promise.all([large(), large(), large()].map(sign))
  expect(called).toEqual(['one', 'one', 'one'])
})

it('an outage fails each item of the call, without a retry', async () => {
  const signDocuments = () => Promise.reject(unavailable('The signer'))
  const { signDocument } = batchSignatures({ ...handlers, signDocuments })
  const signed = ['a', 'b'].map((id) => signDocument({ invoice: invoiceWith(id) }, createCall()))
  const reason = { code: 'SERVICE_UNAVAILABLE' }
  expect(await Promise.allSettled(signed)).toMatchObject([{ reason }, { reason }])
  expect(called).toEqual([])
})

it('signs one by one where the call fails as a whole', async () => {
  const signDocuments = () => Promise.reject(new Error('a defect'))
  const { signDocument } = batchSignatures({ ...handlers, signDocuments })
  const signed = ['a', 'refused'].map((id) =>
    signDocument({ invoice: invoiceWith(id) }, createCall()),
  )
  const outcomes = await Promise.allSettled(signed)
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(called).toEqual(['one', 'one'])
})
