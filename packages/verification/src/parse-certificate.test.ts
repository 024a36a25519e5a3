import { readFileSync } from 'node:fs'
import path from 'node:path'
import { X509Certificate } from 'node:crypto'
import { readPemCertificates } from './certificate-chain'
import { parseCertificate } from './parse-certificate'

const folder = path.join(__dirname, '../../../services/artefacts/src/testdata')
const read = (name: string) => new X509Certificate(readFileSync(path.join(folder, name))).raw

test('equal bytes are parsed once, other bytes separately, garbage never', () => {
  const trusted = read('trusted-certificate.pem')
  const parsed = parseCertificate(trusted)
  expect(parsed.raw.equals(trusted)).toBe(true)
  expect(parseCertificate(new Uint8Array(trusted))).toBe(parsed)
  expect(parseCertificate(read('strangers-certificate.pem')).subject).not.toBe(undefined)
  expect(parseCertificate(read('strangers-certificate.pem'))).not.toBe(parsed)
  const followed = parseCertificate(Buffer.concat([trusted, Buffer.from([0])]))
  expect(followed).not.toBe(parsed)
  expect(followed.raw.equals(trusted)).toBe(true)
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(() => parseCertificate(trusted.subarray(1))).toThrow()
  }
})

test('it holds no more than a hundred', () => {
  const trusted = read('trusted-certificate.pem')
  const first = parseCertificate(trusted)
  for (let index = 0; index < 100; index += 1) {
    parseCertificate(Buffer.concat([trusted, Buffer.from([1, index])]))
  }
  const again = parseCertificate(trusted)
  expect(again).not.toBe(first)
  expect(again.raw.equals(trusted)).toBe(true)
})

test('a list of authorities is used without those whose key is of an unknown type', () => {
  const trusted = read('trusted-certificate.pem')
  const ecPublicKey = Buffer.from('06072a8648ce3d0201', 'hex')
  const changed = Buffer.from(trusted)
  changed[changed.indexOf(ecPublicKey) + ecPublicKey.length - 1] = 0x7f
  expect(() => parseCertificate(changed)).toThrow('cannot be read')
  const pem = [changed, trusted].map((bytes) => new X509Certificate(bytes).toString()).join('')
  expect(readPemCertificates(pem).map(({ raw }) => raw)).toEqual([trusted])
})
