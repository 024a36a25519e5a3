/** The store recovers an original only if our signer made it for the organization of its key. */

import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  recoverInvoices,
  type Found,
  type RecoveryOptions,
} from '@einvoicing/invoices/recovery/recover-invoices'
import { openSqliteStore } from '@einvoicing/invoices/store/sqlite/sqlite-store'
import type { InvoiceStore } from '@einvoicing/invoices/store/store'
import { readPemCertificates } from '@einvoicing/verification/certificate-chain'
import { createLog } from '@einvoicing/runtime/log'
import type { Call } from '@einvoicing/rpc/call'
import type { Invoice } from '@einvoicing/proto/invoice'
import { openSigner, type Signer } from '@einvoicing/signer/service'
import { goldenInvoices } from './family'

const [[, golden]] = goldenInvoices() as [[string, Invoice]]
const now = () => new Date()
const call: Call = {
  caller: { service: 'invoices', actor: 'test' },
  requestId: '-',
  deadline: Date.now() + 600_000,
}

let folder: string
let signer: Signer
let stranger: Signer
let store: InvoiceStore

const open = async (name: string) => {
  const directory = path.join(folder, name)
  const log = createLog('silent')
  return openSigner({ kind: 'software', directory, algorithm: 'ecp256' }, { now, log })
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recovery-trust-'))
  signer = await open('ours')
  stranger = await open('stranger')
  store = await openSqliteStore(path.join(folder, 'invoices.db'), (error) => {
    throw error
  })
})
afterEach(async () => {
  await Promise.all([store.close(), signer.close(), stranger.close()])
  await rm(folder, { recursive: true })
})

const ices = { atlas: '001234567000089', rif: '009999999000011' } as const

async function signedBy(by: Signer, invoiceNumber: string, ice: string = ices.atlas) {
  const invoice = { ...golden, invoiceNumber, issuer: { ...golden.issuer!, ice } }
  return (await by.handlers.signDocument({ invoice }, call)).xml
}

interface ArchivedXml {
  organizationId: string
  invoiceId: string
  xml: Buffer
}

async function recover(
  kept: readonly ArchivedXml[],
  options: Partial<RecoveryOptions> = {},
): Promise<Found[]> {
  const artefacts = {
    listKeptXml: async () => ({
      kept: kept.map(({ organizationId, invoiceId }) => ({ organizationId, invoiceId })),
      position: undefined,
    }),
    readKeptXml: async ({ invoiceId }: { invoiceId: string }) => {
      const content = kept.find((one) => one.invoiceId === invoiceId)!.xml
      const sha256 = createHash('sha256').update(content).digest('hex')
      return { content, sha256, mediaType: 'application/xml' }
    },
  }
  const pem = await readFile(signer.trustedCertificateFile!, 'utf8')
  const trusted = { list: async () => readPemCertificates(pem) }
  const found: Found[] = []
  const deps = { store, artefacts, trusted, now }
  for await (const page of recoverInvoices(deps, { take: true, ...options })) {
    found.push(...page.found)
  }
  return found
}

const kept = (xml: Buffer, organizationId = 'atlas'): ArchivedXml => ({
  organizationId,
  invoiceId: randomUUID(),
  xml,
})
const total = async (organizationId: string) => {
  const page = { page: 0, size: 100 }
  const query = { page, sortBy: 'createdAt', descending: false }
  return (await store.list(organizationId, query)).total
}

test('forged, altered and foreign documents are rejected, the others restored', async () => {
  const good = [await signedBy(signer, 'F-1'), await signedBy(signer, 'F-2')]
  const altered = (await signedBy(signer, 'F-3')).toString().replaceAll('F-3', 'F-4')
  const commented = (await signedBy(signer, 'F-5')).toString().replace('F-5', 'F<!---->-5')
  const bad: [Buffer, RegExp][] = [
    [await signedBy(stranger, 'F-6'), /no trusted authority/],
    [Buffer.from(altered), /changed after it was signed/],
    [Buffer.from(commented), /changed after it was signed/],
    [Buffer.from('<Invoice/>'), /exactly one signature/],
  ]
  const all = [...good.map((xml) => kept(xml)), ...bad.map(([xml]) => kept(xml))]
  const found = await recover(all)
  expect(found.map(({ outcome }) => outcome)).toEqual([
    ...good.map(() => 'taken back'),
    ...bad.map(() => 'refused'),
  ])
  found.slice(good.length).forEach(({ reason }, at) => expect(reason).toMatch(bad[at]![1]))
  expect(await total('atlas')).toBe(good.length)
  // Evidence is due.
  const states = await store.listSigned(undefined, all.length)
  expect(states.map(({ isPending }) => isPending)).toEqual(good.map(() => true))
})

test("another organization's original is refused under this one's key", async () => {
  const own = kept(await signedBy(signer, 'F-1'))
  await recover([own])
  const foreign = await signedBy(signer, 'F-2', ices.rif)
  const [refused, taken] = await recover([kept(foreign), kept(foreign, 'rif')])
  expect(refused).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining(`ICE ${ices.rif}`) as string,
  })
  expect(taken?.outcome).toBe('taken back')
  expect([await total('atlas'), await total('rif')]).toEqual([1, 1])
})

test('all originals of an unknown organization must have one ICE', async () => {
  const originals = [
    kept(await signedBy(signer, 'F-1')),
    kept(await signedBy(signer, 'F-2', ices.rif)),
    kept(await signedBy(signer, 'F-3')),
  ]
  const found = await recover(originals)
  expect(found.map(({ outcome }) => outcome)).toEqual(['taken back', 'refused', 'taken back'])
})

test('originals of an ICE that the copy does not know are restored if the operator states it', async () => {
  const [before, after, foreign] = [
    kept(await signedBy(signer, 'F-1')),
    kept(await signedBy(signer, 'F-2', ices.rif)),
    kept(await signedBy(signer, 'F-3', '002791346000039')),
  ]
  const all = [before, after, foreign]
  await recover([before])
  const stated = { ices: new Map([['atlas', [ices.rif]]]) }
  const elsewhere = { ices: new Map([['rif', [ices.rif]]]) }
  const [refused] = await recover([before, after], elsewhere)
  expect(refused).toMatchObject({
    outcome: 'refused',
    reason: expect.stringContaining(`add --ice atlas=${ices.rif}`) as string,
  })
  const found = await recover(all, stated)
  expect(found.map(({ invoiceId, outcome }) => [invoiceId, outcome])).toEqual([
    [after.invoiceId, 'taken back'],
    [foreign.invoiceId, 'refused'],
  ])
})

test('of an organization without stored invoices, the stated ICEs are known before the first', async () => {
  const all = [
    kept(await signedBy(signer, 'F-1', '002791346000039')),
    kept(await signedBy(signer, 'F-2')),
    kept(await signedBy(signer, 'F-3', ices.rif)),
  ]
  const found = await recover(all, { ices: new Map([['atlas', [ices.atlas, ices.rif]]]) })
  expect(found.map(({ outcome }) => outcome)).toEqual(['refused', 'taken back', 'taken back'])
})

test('an invoice has the ids of what it refers to, also when the archive lists it first', async () => {
  const signedAs = async (invoiceNumber: string, fields: Partial<Invoice>) => {
    const invoice = { ...golden, ...fields, invoiceNumber }
    return kept((await signer.handlers.signDocument({ invoice }, call)).xml)
  }
  const to = (...numbers: string[]) => ({
    precedingInvoices: {
      items: numbers.map((invoiceNumber) => ({ invoiceNumber, invoiceDate: golden.invoiceDate })),
    },
  })
  const deposit = await signedAs('AC-1', { type: 'PREPAYMENT_INVOICE' })
  const final = await signedAs('F-1', to('AC-1', 'X-1'))
  const correction = { type: 'CREDIT_NOTE', correctionReason: 'Retour' }
  const note = await signedAs('AV-1', { ...correction, ...to('F-1') })
  const found = await recover([note, final, deposit])
  expect(found.map(({ outcome }) => outcome)).toEqual(Array(3).fill('taken back'))
  const readIds = async ({ invoiceId }: ArchivedXml) =>
    (await store.get('atlas', invoiceId))?.precedingInvoices?.items.map(({ id }) => id)
  expect(await readIds(final)).toEqual([deposit.invoiceId, undefined])
  expect(await readIds(note)).toEqual([final.invoiceId])
})

test('without trusted authorities nothing is recovered', async () => {
  const artefacts = {
    listKeptXml: () => Promise.reject(new Error('not called')),
    readKeptXml: () => Promise.reject(new Error('not called')),
  }
  const trusted = { list: async () => undefined }
  const pages = recoverInvoices({ store, artefacts, trusted, now }, { take: true })
  await expect(pages.next()).rejects.toThrow(/^TRUSTED_CERTIFICATES_FILE is not set/)
})

test('credit notes are booked again, also when the archive lists them first', async () => {
  const original = kept(await signedBy(signer, 'F-1'))
  const note = async (invoiceNumber: string, of: string) => {
    const precedingInvoices = {
      items: [{ invoiceNumber: of, invoiceDate: golden.invoiceDate }],
    }
    const kind = { type: 'CREDIT_NOTE', correctionReason: 'Retour', precedingInvoices }
    const invoice = { ...golden, ...kind, invoiceNumber }
    return kept((await signer.handlers.signDocument({ invoice }, call)).xml)
  }
  // Of two of the whole amount one was rejected; which one, the platform says again.
  const notes = [await note('AV-1', 'F-1'), await note('AV-2', 'F-1'), await note('AV-3', 'X-1')]
  const found = await recover([...notes, original])
  expect(found.map(({ outcome }) => outcome)).toEqual(Array(4).fill('taken back'))
  const restored = await store.get('atlas', original.invoiceId)
  const bases = restored?.vatSubtotals.map(({ taxableAmount }) => taxableAmount)
  expect(
    restored?.credits?.items.map((each) => [
      each.invoiceNumber,
      each.amountTtc,
      each.bases.map(({ amount }) => amount),
    ]),
  ).toEqual(['AV-1', 'AV-2'].map((number) => [number, golden.amountTtc, bases]))
  const { waitsFor, precedingInvoices } = (await store.get('atlas', notes[0]!.invoiceId))!
  expect(waitsFor).toEqual({ invoiceIds: [original.invoiceId] })
  expect(precedingInvoices?.items).toMatchObject([{ id: original.invoiceId, invoiceNumber: 'F-1' }])
  const elsewhere = (await store.get('atlas', notes[2]!.invoiceId))!
  expect([elsewhere.waitsFor, elsewhere.precedingInvoices?.items[0]?.id]).toEqual([
    undefined,
    undefined,
  ])
  expect(await recover([...notes, original])).toEqual([])
  expect((await store.get('atlas', original.invoiceId))?.credits?.items).toHaveLength(2)
})

test('evidence is requested for restored invoices', async () => {
  const original = kept(await signedBy(signer, 'F-1'))
  await recover([original])
  const taken = await store.takeWork({
    queue: 'evidence',
    now: new Date(Date.now() + 60_000).toISOString(),
    horizon: new Date(Date.now() + 120_000).toISOString(),
    after: '',
    except: [],
    underway: [],
    leaseUntil: new Date(Date.now() + 60_000).toISOString(),
    count: 9,
  })
  const { invoiceId } = original
  expect(taken).toMatchObject([{ organizationId: 'atlas', invoiceId, part: 'evidence' }])
})
