/** Evidence in an archive, years after its time stamps. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  evidenceKey,
  artefactKey,
  stampedKey,
  toStoredObject,
} from '@einvoicing/artefacts/artefact'
import { openFilesystemObjects } from '@einvoicing/artefacts/objects/filesystem/filesystem-objects'
import type { Objects } from '@einvoicing/artefacts/objects/objects'
import { otherSignedXml } from '@einvoicing/artefacts/testdata/signed-xml'
import { systemClock } from '@einvoicing/runtime/clock'
import {
  archive,
  renew,
  signedXml,
  signers,
  TestAuthority,
  toLongTerm,
} from '@einvoicing/verification/testdata/long-term'
import { verify } from './archive-verify'

const renewedAt = new Date('2028-05-04T12:00:00Z')
const invoiceDate = '2026-05-03'

let first: TestAuthority
let second: TestAuthority
/** By number, of one invoice. */
let evidence: [Buffer, Buffer, Buffer]
beforeAll(async () => {
  first = await TestAuthority.make({ notAfter: new Date('2029-01-01') })
  second = await TestAuthority.make({ name: 'second', notAfter: new Date('2034-01-01') })
  const archived = await archive(first)
  const renewed = await renew(archived, { first, second, time: renewedAt })
  evidence = [await toLongTerm(first), archived, renewed]
})

let folder: string
let objects: Objects
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'archive-verify-'))
  writeFileSync(path.join(folder, 'signers.pem'), signers.join(''))
  writeFileSync(path.join(folder, 'authorities.pem'), [first.root, second.root].join(''))
  objects = await openFilesystemObjects(path.join(folder, 'artefacts'), systemClock)
})
afterEach(async () => {
  await objects.close()
  rmSync(folder, { recursive: true })
})

const put = (key: string, bytes: Buffer) =>
  objects.put(key, toStoredObject('signedXml', bytes, { invoiceDate }))

/** An invoice with these of its artefacts of evidence. */
async function keep(invoiceId: string, ...numbers: (0 | 1 | 2)[]): Promise<void> {
  await put(artefactKey('org', invoiceId, 'signedXml'), signedXml)
  for (const number of numbers) await put(evidenceKey('org', invoiceId, number), evidence[number])
}

async function verifyAt(day: string) {
  const found: object[] = []
  const shell = {
    environment: {
      DATA_DIR: folder,
      TRUSTED_CERTIFICATES_FILE: path.join(folder, 'signers.pem'),
      TSA_TRUSTED_CERTIFICATES_FILE: path.join(folder, 'authorities.pem'),
    },
    operator: 'Anna',
    print: (_: string, value: unknown) => void found.push(value as object),
    note() {},
  }
  const status = await verify(shell, () => new Date(day))
  return { status, summary: found.pop(), found }
}

const damaged = (key: string, problem: RegExp) => ({
  key,
  problem: expect.stringMatching(problem) as string,
})
const ended = /the certificate of the time stamp ended on/

test('older evidence of an invoice is not damaged when the newest proves it', async () => {
  await keep('one', 0, 1, 2)
  await keep('other', 1, 2)
  expect(await verifyAt('2032-01-01')).toEqual({
    status: 0,
    found: [],
    summary: { objects: 7, damaged: 0, proofs: 5 },
  })
})

test('evidence that was not renewed in time is reported, once an invoice', async () => {
  await keep('one', 0, 1)
  await keep('other', 2)
  expect(await verifyAt('2028-12-01')).toMatchObject({ status: 0 })
  const one = damaged('org/one/signed-lta-1.xml', ended)
  expect(await verifyAt('2032-01-01')).toMatchObject({ status: 1, found: [one] })
  expect(await verifyAt('2035-01-01')).toMatchObject({
    status: 1,
    summary: { damaged: 2 },
    found: expect.arrayContaining([one, damaged('org/other/signed-lta-2.xml', ended)]) as object[],
  })
})

test('evidence without its original is reported, too', async () => {
  await put(evidenceKey('org', 'lost', 1), evidence[1])
  expect(await verifyAt('2032-01-01')).toMatchObject({
    status: 1,
    found: [damaged('org/lost/signed-lta-1.xml', ended)],
  })
})

test('after its retention evidence may end, but not be changed', async () => {
  await keep('one', 1, 2)
  expect(await verifyAt('2036-12-31')).toMatchObject({ status: 1 })
  expect(await verifyAt('2037-01-01')).toMatchObject({ status: 0, found: [] })
  const changed = Buffer.from(evidence[1].toString().replace('MAD', 'EUR'))
  await put(evidenceKey('org', 'other', 1), changed)
  expect(await verifyAt('2037-01-01')).toMatchObject({
    status: 1,
    found: [damaged('org/other/signed-lta-1.xml', /document: the digest/)],
  })
})

test.each(['2028-12-01', '2032-01-01'])(
  'a changed one is found below the newest: %s',
  async (day) => {
    await put(
      evidenceKey('org', 'one', 1),
      Buffer.from(evidence[1].toString().replace('MAD', 'EUR')),
    )
    await keep('one', 0, 2)
    expect(await verifyAt(day)).toMatchObject({
      status: 1,
      found: [damaged('org/one/signed-lta-1.xml', /document: the digest/)],
    })
  },
)

test('a changed one proves none below it', async () => {
  await put(evidenceKey('org', 'one', 2), Buffer.from(evidence[2].toString().replace('MAD', 'EUR')))
  await keep('one', 1)
  expect(await verifyAt('2032-01-01')).toMatchObject({
    found: expect.arrayContaining([
      damaged('org/one/signed-lta-1.xml', ended),
      damaged('org/one/signed-lta-2.xml', /document: the digest/),
    ]) as object[],
  })
})

test('evidence of another document is found, however valid', async () => {
  await keep('one', 0, 2)
  await put(artefactKey('org', 'other', 'signedXml'), otherSignedXml)
  await put(evidenceKey('org', 'other', 1), evidence[1])
  await put(stampedKey('org', 'other', 2), evidence[0])
  const isOther = /it is of another document than signed\.xml/
  expect(await verifyAt('2028-12-01')).toEqual({
    status: 1,
    found: [
      damaged('org/other/signed-lta-1.xml', isOther),
      damaged('org/other/signed-t-2.xml', isOther),
    ],
    summary: { objects: 6, damaged: 2, proofs: 3 },
  })
})
