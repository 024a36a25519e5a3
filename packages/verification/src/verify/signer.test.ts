/** For what a certificate may be used (RFC 5280, section 4.2.1.3). */

// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import { X509Certificate, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { makeKeys, now } from '../testdata/long-term'
import { checkCertificate } from './signer'

const { digitalSignature, keyCertSign, nonRepudiation } = x509.KeyUsageFlags
// The bytes of a key usage with nonRepudiation, and of its object identifier alone.
const [likeUsage, likeOid] = [
  '\u0006\u0003U\u001d\u000f\u0004\u0004\u0003\u0002\u0006@',
  '\u0006\u0003U\u001d\u000f',
]

async function isForSigning(name: string, usage?: number): Promise<boolean> {
  const made = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [name] }],
      keys: await makeKeys(),
      notBefore: new Date('2026-01-01'),
      notAfter: new Date('2036-01-01'),
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: usage === undefined ? [] : [new x509.KeyUsagesExtension(usage, true)],
    },
    webcrypto,
  )
  const signer = new X509Certificate(Buffer.from(made.rawData))
  return checkCertificate({ signer, signingTime: now, provenAt: undefined, now }).ok
}

test.each([
  ['signer', undefined, true],
  ['signer', digitalSignature, true],
  ['signer', nonRepudiation | keyCertSign, true],
  ['signer', keyCertSign, false],
  [likeUsage, keyCertSign, false],
  [likeOid, digitalSignature, true],
  [likeOid, undefined, true],
])('the certificate of %j with the usage %s: %s', async (name, usage, isAllowed) => {
  expect(await isForSigning(name, usage)).toBe(isAllowed)
})
