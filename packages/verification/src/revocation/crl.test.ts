/** Lists that are about a part of an authority's certificates (RFC 5280, sections 5.2.5, 6.3.3). */

// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import { KeyObject, sign, X509Certificate, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import {
  contextTag,
  DerError,
  readChildren,
  readElement,
  tags,
  writeElement,
  writeOid,
  writeSequence,
} from '../der'
import { rsa } from '../testdata/long-term'
import { verifyCrl } from './crl'
import { RevocationError } from './statement'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const start = new Date('2026-11-23T12:00:00Z')
const end = new Date('2027-11-23T12:00:00Z')
const [shard, otherShard] = ['http://crl.test/7.crl', 'http://crl.test/8.crl']

let authority: webcrypto.CryptoKeyPair
let issuer: X509Certificate
let leaf: X509Certificate
let authorityBelow: X509Certificate

beforeAll(async () => {
  authority = await makeKeys()
  const isAuthority = new x509.BasicConstraintsExtension(true, undefined, true)
  issuer = await issue(isAuthority)
  authorityBelow = await issue(isAuthority)
  leaf = await issue(new x509.CRLDistributionPointsExtension([shard]))
})

const makeKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

let issued = 0

async function issue(...extensions: x509.Extension[]): Promise<X509Certificate> {
  issued += 1
  const made = await x509.X509CertificateGenerator.create(
    {
      subject: issued === 1 ? 'CN=authority' : `CN=${issued}`,
      issuer: 'CN=authority',
      serialNumber: `0${issued}`,
      notBefore: start,
      notAfter: end,
      extensions,
      publicKey: issued === 1 ? authority.publicKey : (await makeKeys()).publicKey,
      signingKey: authority.privateKey,
      signingAlgorithm: algorithm,
    },
    webcrypto,
  )
  return new X509Certificate(Buffer.from(made.rawData))
}

async function readList(
  extensions: x509.Extension[],
  revoked: readonly X509Certificate[] = [],
): Promise<ReturnType<typeof verifyCrl>> {
  const made = await x509.X509CrlGenerator.create(
    {
      issuer: 'CN=authority',
      thisUpdate: start,
      nextUpdate: end,
      extensions,
      entries: revoked.map(({ serialNumber }) => ({ serialNumber, revocationDate: start })),
      signingKey: authority.privateKey,
      signingAlgorithm: algorithm,
    },
    webcrypto,
  )
  return verifyCrl(Buffer.from(made.rawData), [issuer])
}

const uri = (text: string) => writeElement(0x86, Buffer.from(text))
const fullName = (...names: Buffer[]) =>
  writeElement(contextTag(0), writeElement(contextTag(0), ...names))
const flag = (number: number, octet = 0xff) => writeElement(0x80 | number, Buffer.from([octet]))
const scope = (...fields: Buffer[]) =>
  new x509.Extension('2.5.29.28', true, writeSequence(...fields))
const [forUsers, forAuthorities, indirect, forAttributes] = [flag(1), flag(2), flag(4), flag(5)]
const someReasons = writeElement(0x83, Buffer.from([6, 0x40]))
const revoked = { revokedAt: start }

test('a list without a scope is about every certificate of its issuer', async () => {
  expect((await readList([])).about(leaf)).toBe('good')
  expect((await readList([], [leaf])).about(leaf)).toEqual(revoked)
  expect((await readList([], [leaf])).about(authorityBelow)).toBe('good')
})

test.each<[string, Buffer[], unknown, unknown]>([
  ['the point of the certificate', [fullName(uri(shard))], 'good', revoked],
  ['it among others', [fullName(uri(otherShard), uri(shard))], 'good', revoked],
  ['another point', [fullName(uri(otherShard))], undefined, undefined],
  // RelativeDistinguishedName, of which no certificate here has a counterpart.
  [
    'a relative name',
    [writeElement(contextTag(0), writeElement(contextTag(1)))],
    undefined,
    undefined,
  ],
  ['only users', [forUsers], 'good', revoked],
  ['only authorities', [forAuthorities], undefined, undefined],
  [
    'only authorities, at the right point',
    [fullName(uri(shard)), forAuthorities],
    undefined,
    undefined,
  ],
  ['only attribute certificates', [forAttributes], undefined, undefined],
  ['certificates of other issuers too', [indirect], undefined, undefined],
  ['some reasons', [someReasons], undefined, revoked],
  [
    'nothing left out, written as FALSE',
    [1, 2, 4, 5].map((number) => flag(number, 0)),
    'good',
    revoked,
  ],
])('a list whose scope says %s', async (_, fields, unlisted, listed) => {
  expect((await readList([scope(...fields)])).about(leaf)).toEqual(unlisted)
  expect((await readList([scope(...fields)], [leaf])).about(leaf)).toEqual(listed)
})

test('the certificate of an authority is in lists of authorities, not in those of users', async () => {
  expect((await readList([scope(forAuthorities)])).about(authorityBelow)).toBe('good')
  const listed = await readList([scope(forAuthorities)], [authorityBelow])
  expect(listed.about(authorityBelow)).toEqual(revoked)
  expect((await readList([scope(forUsers)])).about(authorityBelow)).toBeUndefined()
})

test('a certificate without a point of its own is in no list of one', async () => {
  const list = await readList([scope(fullName(uri(shard)))])
  expect(list.about(authorityBelow)).toBeUndefined()
})

test.each([
  ['some reasons', writeElement(0x81, Buffer.from([6, 0x40]))],
  ['another issuer', writeElement(contextTag(2), uri('http://other.test'))],
])('a point of the certificate for lists of %s is not the point of others', async (_, field) => {
  const points = writeSequence(writeSequence(fullName(uri(shard)), field))
  const certificate = await issue(new x509.Extension('2.5.29.31', false, points))
  expect((await readList([scope(fullName(uri(shard)))])).about(certificate)).toBeUndefined()
  expect((await readList([])).about(certificate)).toBe('good')
})

test('a scope that is not critical counts too', async () => {
  const { value } = scope(forAuthorities)
  const list = await readList([new x509.Extension('2.5.29.28', false, value)])
  expect(list.about(leaf)).toBeUndefined()
})

test('a scope with an unknown field, or another critical extension, proves nothing', async () => {
  await expect(readList([scope(flag(6))])).rejects.toBeInstanceOf(DerError)
  const delta = new x509.Extension('2.5.29.27', true, Buffer.from([2, 1, 1]))
  await expect(readList([delta])).rejects.toThrow(
    new RevocationError('a revocation list has the critical extension 2.5.29.27'),
  )
})

test('a signature algorithm that names no hash algorithm is not accepted', async () => {
  const keys = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])
  const validity = { notBefore: start, notAfter: end }
  const extensions = [new x509.BasicConstraintsExtension(true, undefined, true)]
  const signed = { signingKey: keys.privateKey, signingAlgorithm: rsa }
  const own = { name: 'CN=authority', keys, signingAlgorithm: rsa, extensions, ...validity }
  const { rawData } = await x509.X509CertificateGenerator.createSelfSigned(own, webcrypto)
  const list = { issuer: 'CN=authority', thisUpdate: start, ...signed }
  const made = await x509.X509CrlGenerator.create(list, webcrypto)
  const [content] = readChildren(readElement(Buffer.from(made.rawData)), tags.sequence)
  const [named, plain] = ['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.1'].map(writeOid)
  const read = (oid: Buffer) => {
    const changed = Buffer.from(content!.bytes)
    oid.copy(changed, changed.indexOf(named!))
    const signature = sign('sha256', changed, KeyObject.from(keys.privateKey))
    const algorithm = writeSequence(oid, writeElement(tags.null))
    const bits = writeElement(tags.bitString, Buffer.from([0]), signature)
    const bytes = writeSequence(changed, algorithm, bits)
    return verifyCrl(bytes, [new X509Certificate(Buffer.from(rawData))])
  }
  expect(read(named!).thisUpdate).toEqual(start)
  expect(() => read(plain!)).toThrow(
    new DerError('a signature algorithm without its hash algorithm'),
  )
})
