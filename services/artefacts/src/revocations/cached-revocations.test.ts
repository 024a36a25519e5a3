import 'reflect-metadata'
import { X509Certificate, webcrypto } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as x509 from '@peculiar/x509'
import { ApiError } from '@einvoicing/domain/api-error'
import { verifyOcspResponse } from '@einvoicing/verification/revocation/ocsp'
import {
  tags,
  writeElement,
  writeOctets,
  writeOid,
  writeSequence,
  writeTime,
} from '@einvoicing/verification/der'
import { openHttpClient } from '../time-stamps/http-client'
import { openRevocations } from './cached-revocations'
import { NotYetPublished, type RevocationQuery } from './revocations'
import type { SourceOptions } from './sources'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const hourMs = 3_600_000
const start = new Date('2026-11-23T12:00:00Z')
const after = (ms: number) => new Date(start.getTime() + ms)

const http = openHttpClient()
let server: Server
let url: string
let folder: string
let authority: webcrypto.CryptoKeyPair
let issuer: X509Certificate
let certificate: X509Certificate
let byOcsp: X509Certificate
let nowMs: number
let requests: string[]
let answer: (path: string) => Buffer | Promise<Buffer> | number

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'revocations-'))
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const send = async () => {
      const body = await answer(request.url ?? '')
      if (typeof body === 'number') response.writeHead(body).end()
      else response.end(body)
    }
    request.resume().on('end', () => void send())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  authority = await makeKeys()
  issuer = await issue(authority, {
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  })
  certificate = await issue(await makeKeys(), {
    name: 'CN=stamper',
    extensions: [new x509.CRLDistributionPointsExtension([`${url}/crl`])],
  })
  byOcsp = await issue(await makeKeys(), {
    name: 'CN=by OCSP',
    extensions: [
      new x509.CRLDistributionPointsExtension([`${url}/crl`]),
      new x509.AuthorityInfoAccessExtension({ ocsp: [`${url}/ocsp`] }),
    ],
  })
})

afterAll(async () => {
  await http.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

beforeEach(() => {
  nowMs = start.getTime()
  requests = []
  answer = () => list()
})

const makeKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

async function issue(
  keys: webcrypto.CryptoKeyPair,
  { name = 'CN=authority', extensions }: { name?: string; extensions: x509.Extension[] },
): Promise<X509Certificate> {
  const made = await x509.X509CertificateGenerator.create(
    {
      subject: name,
      issuer: 'CN=authority',
      publicKey: keys.publicKey,
      extensions,
      signingKey: authority.privateKey,
      signingAlgorithm: algorithm,
      notBefore: after(-24 * hourMs),
      notAfter: after(9_999 * hourMs),
    },
    webcrypto,
  )
  return new X509Certificate(Buffer.from(made.rawData))
}

interface ListOptions {
  thisUpdate?: Date
  nextUpdate?: Date
  keys?: webcrypto.CryptoKeyPair
  revoked?: string[]
  revokedAt?: Date
}

async function list(options: ListOptions = {}): Promise<Buffer> {
  const { thisUpdate = start, nextUpdate = after(hourMs), keys = authority } = options
  const made = await x509.X509CrlGenerator.create(
    {
      issuer: 'CN=authority',
      thisUpdate,
      nextUpdate,
      signingAlgorithm: algorithm,
      entries: (options.revoked ?? []).map((serialNumber) => ({
        serialNumber,
        revocationDate: options.revokedAt ?? thisUpdate,
      })),
      signingKey: keys.privateKey,
    },
    webcrypto,
  )
  return Buffer.from(made.rawData)
}

const open = (changes: Partial<SourceOptions> = {}) =>
  openRevocations({
    http,
    files: [],
    isSandbox: true,
    sandboxCrlUrl: undefined,
    now: () => new Date(nowMs),
    ...changes,
  })

const query = (changes: Partial<RevocationQuery> = {}): RevocationQuery => ({
  certificate,
  issuer,
  deadline: Date.now() + 10_000,
  ...changes,
})

async function findReason(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return String((error as ApiError).cause)
}

test('one request serves everyone until newer data is due', async () => {
  const revocations = open()
  const since = after(-1)
  await Promise.all(Array.from({ length: 20 }, () => revocations.about(query({ since }))))
  nowMs += hourMs - 1
  expect(await revocations.about(query())).toMatchObject({ kind: 'crl', thisUpdate: start })
  expect(requests).toEqual(['GET /crl'])
})

test('callers wait for one request, each until its own deadline', async () => {
  const revocations = open()
  // The request may arrive later than the first two give up.
  const release = new Promise<(list: Promise<Buffer>) => void>((onRequest) => {
    answer = () => new Promise<Buffer>(onRequest)
  })
  const within = (ms: number) => revocations.about(query({ deadline: Date.now() + ms }))
  const [first, patient, last] = [within(100), within(20_000), within(100)]
  for (const impatient of [first, last]) expect(await findReason(impatient)).toMatch(/deadline/)
  ;(await release)(list())
  expect(await patient).toMatchObject({ kind: 'crl', thisUpdate: start })
  expect(requests).toEqual(['GET /crl'])
})

test('older data is rejected, with the time when newer is due', async () => {
  const revocations = open()
  const since = after(1)
  const refused = revocations.about(query({ since }))
  await expect(refused).rejects.toBeInstanceOf(NotYetPublished)
  await expect(refused).rejects.toMatchObject({ until: after(hourMs) })
  await expect(revocations.about(query({ since }))).rejects.toBeInstanceOf(NotYetPublished)
  expect(requests).toHaveLength(1)
  nowMs += hourMs
  answer = () => list({ thisUpdate: after(hourMs), nextUpdate: after(2 * hourMs) })
  expect((await revocations.about(query({ since }))).thisUpdate).toEqual(after(hourMs))
  // What is new enough for an older stamp stays so, where newer is due but not there.
  nowMs += 5 * hourMs
  expect((await revocations.about(query({ since }))).thisUpdate).toEqual(after(hourMs))
  expect(requests).toHaveLength(3)
})

test('an authority that is late is queried again after a pause', async () => {
  const revocations = open()
  nowMs = after(2 * hourMs).getTime()
  const since = after(hourMs)
  expect(await findReason(revocations.about(query({ since })))).toMatch(/the authority is late/)
  expect(await findReason(revocations.about(query()))).toMatch(/due on 2026-11-23T13:00:00/)
  expect(requests).toHaveLength(1)
  nowMs += 5_000
  answer = () => list({ thisUpdate: after(2 * hourMs), nextUpdate: after(3 * hourMs) })
  expect((await revocations.about(query({ since }))).thisUpdate).toEqual(after(2 * hourMs))
})

test.each<[string, () => Buffer | Promise<Buffer> | number, RegExp]>([
  ['answers 500', () => 500, /HTTP 500/],
  ['sends no list', () => Buffer.from('<html>'), /element/],
  ['sends 1 MiB and a byte', () => Buffer.alloc(1024 * 1024 + 1), /larger than 1048576/],
  [
    'signs with another key',
    async () => list({ keys: await makeKeys() }),
    /does not match its issuer/,
  ],
])('data is refused of an authority that %s', async (_, hostile, reason) => {
  const revocations = open()
  answer = hostile
  expect(await findReason(revocations.about(query()))).toMatch(reason)
  answer = () => list()
  // Not at once.
  expect(await findReason(revocations.about(query()))).toMatch(reason)
  nowMs += 5_000
  await revocations.about(query())
})

test('a revocation list with one changed byte is rejected', async () => {
  const whole = await list()
  const revocations = open()
  for (const at of [60, 100, whole.length - 1]) {
    const changed = Buffer.from(whole)
    changed[at] = changed[at]! ^ 1
    answer = () => changed
    await findReason(revocations.about(query()))
    nowMs += 5_000
  }
  expect(requests).toHaveLength(3)
})

test('a revoked certificate is reported as revoked', async () => {
  answer = () => list({ revoked: [certificate.serialNumber] })
  expect(await findReason(open().about(query()))).toMatch(/was revoked on 2026-11-23/)
})

test('data from before a known revocation is not used', async () => {
  const revocations = open()
  const old = query({ since: after(-1) })
  expect((await revocations.about(old)).thisUpdate).toEqual(start)
  nowMs += hourMs
  const times = { thisUpdate: after(hourMs), nextUpdate: after(2 * hourMs) }
  answer = () => list({ ...times, revoked: [certificate.serialNumber] })
  expect(await findReason(revocations.about(old))).toMatch(/was revoked on/)
  expect(await findReason(revocations.about(old))).toMatch(/was revoked on/)
})

describe('a certificate revoked an hour after the start', () => {
  const revokedAt = after(hourMs)
  const times = { thisUpdate: after(2 * hourMs), nextUpdate: after(3 * hourMs) }
  beforeEach(() => {
    nowMs = after(2 * hourMs).getTime()
    answer = () => list({ ...times, revokedAt, revoked: [certificate.serialNumber] })
  })
  const proves = (since: Date) => query({ since, mayBeRevokedLater: true })

  test('is proven by that list for a signature from before, whatever else is queried', async () => {
    const revocations = open()
    const before = proves(after(hourMs - 1_000))
    for (let count = 0; count < 2; count += 1) {
      expect(await revocations.about(before)).toMatchObject({ kind: 'crl', ...times })
      for (const other of [query({ since: start }), query(), proves(revokedAt)]) {
        expect(await findReason(revocations.about(other))).toMatch(
          /was revoked on 2026-11-23T13:00/,
        )
      }
    }
    expect(requests).toHaveLength(1)
    nowMs += 60_000
    await revocations.about(before)
    expect(requests).toHaveLength(1)
  })

  test('is queried again where it is not proven: the revocation may be lifted', async () => {
    const revocations = open()
    await findReason(revocations.about(query()))
    nowMs += 5_000
    answer = () => list({ ...times, thisUpdate: after(2 * hourMs + 4_000) })
    await revocations.about(query())
    expect(requests).toHaveLength(2)
  })
})

test('files of the operator come first, also when the network fails', async () => {
  const [der, pem] = [path.join(folder, 'list.der'), path.join(folder, 'list.pem')]
  await writeFile(der, await list())
  await writeFile(pem, new x509.X509Crl(await list()).toString('pem'))
  const several = path.join(folder, 'several.pem')
  const lists = [await list({ keys: await makeKeys() }), await list()]
  await writeFile(several, lists.map((one) => new x509.X509Crl(one).toString('pem')).join('\n'))
  for (const file of [der, pem, several])
    expect(await open({ files: [file] }).about(query())).toBeDefined()
  expect(requests).toEqual([])
  // Too old for this one: the authority is asked, too.
  answer = () => list({ thisUpdate: after(5_000) })
  nowMs += 10_000
  await open({ files: [der] }).about(query({ since: after(3_000) }))
  expect(requests).toHaveLength(1)
  answer = () => 500
  const missing = path.join(folder, 'none.der')
  expect(await findReason(open({ files: [missing] }).about(query()))).toMatch(/no such file.*500/)
})

test('loopback is queried only in the sandbox, which may have moved since its certificate', async () => {
  expect(await findReason(open({ isSandbox: false }).about(query()))).toMatch(/only in a sandbox/)
  expect(requests).toEqual([])
  const unnamed = await issue(await makeKeys(), { name: 'CN=unnamed', extensions: [] })
  expect(await findReason(open().about(query({ certificate: unnamed })))).toMatch(/names no place/)
  await open({ sandboxCrlUrl: `${url}/moved` }).about(query({ certificate: unnamed }))
  expect(requests).toEqual(['GET /moved'])
})

/** An OCSPResponse about the certificate that the request names. */
async function respond(request: Buffer, keys = authority): Promise<Buffer> {
  // OCSPRequest, TBSRequest, requestList, Request: each with two octets of header.
  const identity = request.subarray(8)
  const single = writeSequence(
    identity,
    Buffer.from([0x80, 0]),
    writeTime(start),
    writeElement(0xa0, writeTime(after(hourMs))),
  )
  const responder = writeElement(0xa2, writeOctets(Buffer.alloc(20)))
  const data = writeSequence(responder, writeTime(start), writeSequence(single))
  const raw = Buffer.from(await webcrypto.subtle.sign(algorithm, keys.privateKey, data))
  const half = (bytes: Buffer) => {
    const trimmed = bytes.subarray(bytes.findIndex((octet) => octet !== 0))
    return writeElement(
      tags.integer,
      trimmed[0]! & 0x80 ? Buffer.concat([Buffer.from([0]), trimmed]) : trimmed,
    )
  }
  const signature = writeSequence(half(raw.subarray(0, 32)), half(raw.subarray(32)))
  const basic = writeSequence(
    data,
    writeSequence(writeOid('1.2.840.10045.4.3.2')),
    writeElement(tags.bitString, Buffer.from([0]), signature),
  )
  const body = writeSequence(writeOid('1.3.6.1.5.5.7.48.1.1'), writeOctets(basic))
  return writeSequence(Buffer.from([0x0a, 1, 0]), writeElement(0xa0, body))
}

test('OCSP is tried before the list, which is used when OCSP fails', async () => {
  const { encodeOcspRequest } = await import('@einvoicing/verification/revocation/ocsp-request')
  const good = await respond(encodeOcspRequest(byOcsp, issuer))
  answer = (asked) => (asked === '/ocsp' ? good : list())
  const found = await open().about(query({ certificate: byOcsp, since: start }))
  expect(found).toMatchObject({ kind: 'ocsp', thisUpdate: start })
  expect(verifyOcspResponse(found.bytes, [issuer]).about(byOcsp)).toBe('good')
  expect(requests).toEqual(['POST /ocsp'])
  const forged = await respond(encodeOcspRequest(byOcsp, issuer), await makeKeys())
  const other = await respond(encodeOcspRequest(certificate, issuer))
  for (const wrong of [forged, other]) {
    answer = (asked) => (asked === '/ocsp' ? wrong : list())
    expect(await open().about(query({ certificate: byOcsp }))).toMatchObject({ kind: 'crl' })
  }
})
