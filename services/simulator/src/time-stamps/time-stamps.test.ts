import 'reflect-metadata'
import { createHash, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { isTrusted } from '@einvoicing/verification/certificate-chain'
import { checkToken } from '@einvoicing/verification/time-stamps/check-token'
import { encodeRequest } from '@einvoicing/verification/time-stamps/request'
import { readResponse } from '@einvoicing/verification/time-stamps/response'
import { startPlatform, type TestPlatform } from '../testdata/start-platform'

const digest = createHash('sha256').update('a signature').digest()
const query = encodeRequest({ hash: 'sha256', digest, nonce: 7n })

let platform: TestPlatform
beforeAll(async () => (platform = await startPlatform()))
afterAll(() => platform.stop())

const post = (url: string, body: Buffer, type = 'application/timestamp-query') =>
  fetch(`${url}/tsa`, { method: 'POST', headers: { 'Content-Type': type }, body })

const readBytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

async function readRoot(url: string): Promise<X509Certificate> {
  return new X509Certificate(await (await fetch(`${url}/tsa/root`)).text())
}

test('stamps what is asked for, with a certificate for fifteen years below its own root', async () => {
  const answer = await post(platform.url, query)
  expect(answer.headers.get('content-type')).toBe('application/timestamp-reply')
  const root = await readRoot(platform.url)
  const { certificate } = checkToken(readResponse(await readBytes(answer)), {
    hash: 'sha256',
    digest,
    nonce: 7n,
    now: new Date('2030-06-01T00:00:00Z'),
    isTrusted: (certificates, at) => isTrusted({ certificates, trusted: [root], at }),
  })
  expect(certificate.validTo).toContain('2045')
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.8'])
})

test('has the same keys after a restart, and a new revocation list after each period', async () => {
  const before = await readRoot(platform.url)
  const readList = async (url: string) =>
    new x509.X509Crl(await readBytes(await fetch(`${url}/tsa/crl`)))
  const first = await readList(platform.url)
  expect(await first.verify({ publicKey: new x509.X509Certificate(before.raw) })).toBe(true)
  expect(first.thisUpdate).toEqual(new Date('2030-06-01T00:00:00Z'))
  expect(first.nextUpdate).toEqual(new Date('2030-06-01T01:00:00Z'))
  platform.advance(3_600_000)
  expect((await readList(platform.url)).thisUpdate).toEqual(first.nextUpdate)

  const again = await startPlatform({ dataDir: platform.dataDir })
  expect((await readRoot(again.url)).fingerprint256).toBe(before.fingerprint256)
  await again.stop()
})

test('rejects an invalid query and another media type', async () => {
  const rejected = await readBytes(await post(platform.url, Buffer.from('?')))
  expect(() => readResponse(rejected)).toThrow('not a time-stamp query')
  const other = await post(platform.url, query, 'application/xml')
  expect([other.status, await other.json()]).toMatchObject([
    415,
    { code: 'UNSUPPORTED_MEDIA_TYPE' },
  ])
  expect((await post(platform.url, Buffer.alloc(4_097))).status).toBe(413)
})
