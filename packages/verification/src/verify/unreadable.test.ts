/** Whatever the bytes of certificates, tokens and revocation data: a check fails, none throws. */

import { randomInt } from 'node:crypto'
import { randomFrom } from '@einvoicing/servers/random'
import { addAll, makeKeys, now, signedXml, signers, TestAuthority } from '../testdata/long-term'
import { verifyInvoice } from './report'

const seed = Number(process.env['VERIFY_TEST_SEED'] ?? randomInt(2 ** 31))
const fuzzedMs = 5_000

let authority: TestAuthority
beforeAll(async () => {
  authority = await TestAuthority.make()
})

const base64 = /(?<=<ds:X509Certificate>)[^<]+/
const signer = () => Buffer.from(base64.exec(signedXml.toString())![0], 'base64')
const withSigner = (certificate: Buffer) =>
  Buffer.from(signedXml.toString().replace(base64, certificate.toString('base64')))

const verify = (document: Buffer) =>
  verifyInvoice(document, { signers, timeStamps: [authority.root] }, now)
const problems = (document: Buffer) =>
  verify(document).checks.flatMap(({ name, fault: problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  )

function change(bytes: Buffer, from: string, to: string): Buffer {
  const changed = Buffer.from(bytes)
  const at = changed.indexOf(Buffer.from(from, 'hex'))
  expect(at).toBeGreaterThan(0)
  changed.write(to, at, 'hex')
  return changed
}

test.each([
  // id-ecPublicKey.
  ['a key of an unknown type', '2a8648ce3d0201', '2a8648ce3d0202'],
  // The first UTCTime.
  ['an unreadable date', '170d3236', '170d2636'],
])('a certificate with %s is no certificate', (_, from, to) => {
  const found = problems(withSigner(change(signer(), from, to)))
  expect(found).toContain('certificate: there is no readable certificate')
})

test('a certificate may have no subject', async () => {
  const unnamed = await authority.issueStamper(await makeKeys(), '')
  expect(verify(withSigner(unnamed.raw)).signer).toMatchObject({ subject: '' })
})

test('an OCSP response with a certificate that cannot be read is unreadable', () => {
  const garbage = Buffer.from('3003020101', 'hex')
  const document = addAll({ token: authority.stamp(), ocspResponses: [authority.respond(garbage)] })
  expect(problems(document)).toEqual([
    'revocation: revocation data cannot be read: a certificate that cannot be read',
  ])
})

describe('a key with which nothing here signs', () => {
  const ed25519 = () => makeKeys({ name: 'Ed25519' })

  test('does not stamp', async () => {
    const stamper = await authority.issueStamper(await ed25519())
    expect(problems(addAll({ token: authority.stamp(stamper) }))).toContain(
      'timeStamp: the signature of the time stamp does not match its certificate',
    )
  })

  test('neither lists nor answers', async () => {
    const other = await authority.issueAuthority(await ed25519())
    const evidence = { token: authority.stamp(), certificates: [other.raw] }
    const impostor = await TestAuthority.make()
    const list = addAll({ ...evidence, crls: [await impostor.list()] })
    expect(problems(list)).toEqual([
      'revocation: the signature of a revocation list does not match its issuer',
    ])
    const response = addAll({ ...evidence, ocspResponses: [impostor.respond(other.raw)] })
    expect(problems(response)).toEqual([
      'revocation: the signature of an OCSP response does not match the issuer',
    ])
  })
})

test(`any changed byte, as often as there is time, from seed ${seed}`, async () => {
  const random = randomFrom(seed)
  const [token, root] = [authority.stamp(), authority.root.raw]
  const [list, response] = [await authority.list(), authority.respond(authority.stamper.raw)]
  const parts: [Buffer, (changed: Buffer) => Buffer][] = [
    [signer(), withSigner],
    [token, (changed) => addAll({ token: changed, crls: [list], ocspResponses: [response] })],
    [root, (changed) => addAll({ token, certificates: [changed], crls: [list] })],
    [list, (changed) => addAll({ token, certificates: [root], crls: [changed] })],
    [response, (changed) => addAll({ token, ocspResponses: [changed] })],
  ]
  for (const endMs = performance.now() + fuzzedMs; performance.now() < endMs;) {
    for (const [bytes, write] of parts) {
      const at = Math.floor(random() * bytes.length)
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1 + Math.floor(random() * 255)
      const document = write(changed)
      try {
        verify(document)
      } catch (cause) {
        throw new Error(`byte ${at} of ${bytes.toString('hex')}`, { cause })
      }
    }
  }
})
