// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import type { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as x509 from '@peculiar/x509'
import { writeTime } from '@einvoicing/verification/der'
import { makeKeys, stampedAt, TestAuthority } from '@einvoicing/verification/testdata/long-term'
import { openRevocations } from './cached-revocations'

const after = (minutes: number) => new Date(+stampedAt + minutes * 60_000)
const end = after(60)
const send = () => Promise.reject(new Error('no file is enough'))
const http = { send, close: () => Promise.resolve() }

let folder: string
let authority: TestAuthority
let certificate: X509Certificate
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ended-'))
  authority = await TestAuthority.make()
  certificate = await authority.issueSigner(await makeKeys(), end)
})
afterAll(() => rm(folder, { recursive: true }))

/** Two hours after the time stamp, with these lists. */
async function open(...lists: Promise<Buffer>[]) {
  const files = lists.map((_, index) => path.join(folder, `${index}.crl`))
  for (const [index, file] of files.entries()) await writeFile(file, await lists[index]!)
  const source = { http, files, isSandbox: false, sandboxCrlUrl: undefined }
  const revocations = openRevocations({ ...source, now: () => after(120) })
  const query = { certificate, issuer: authority.root, deadline: Date.now() + 10_000 }
  return (since: Date) => revocations.about({ ...query, since })
}

const expiredSince = (at: Date) => new x509.Extension('2.5.29.60', false, writeTime(at))
const ended = {
  code: 'SERVICE_UNAVAILABLE',
  cause: {
    name: 'CertificateEnded',
    message: `no revocation data about CN=signer was published before its certificate ended on ${end.toISOString()}`,
  },
}

test('no list from after its end is about it, and none is waited for', async () => {
  const about = await open(authority.list(after(61)))
  for (let count = 0; count < 2; count += 1)
    await expect(about(stampedAt)).rejects.toMatchObject(ended)
})

test('one from its last second is, and one about those that ended', async () => {
  const [before, later] = [
    await open(authority.list(end)),
    authority.list(after(61), [], [expiredSince(end)]),
  ]
  expect((await before(stampedAt)).thisUpdate).toEqual(end)
  expect((await (await open(later))(stampedAt)).thisUpdate).toEqual(after(61))
  const others = authority.list(after(61), [], [expiredSince(after(61))])
  await expect((await open(others))(stampedAt)).rejects.toMatchObject(ended)
})

test('an older list is enough for an older time stamp', async () => {
  const about = await open(authority.list(after(30)), authority.list(after(61)))
  await expect(about(after(31))).rejects.toMatchObject(ended)
  expect((await about(after(29))).thisUpdate).toEqual(after(30))
  await expect(about(after(31))).rejects.toMatchObject(ended)
})

test('a list from after its end may say that it was revoked', async () => {
  const entry = { serialNumber: certificate.serialNumber, revocationDate: stampedAt }
  const about = await open(authority.list(after(61), [entry]))
  await expect(about(stampedAt)).rejects.toMatchObject({ cause: { name: 'CertificateRevoked' } })
})
