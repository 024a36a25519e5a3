// @peculiar/x509 does not load without the metadata of decorators.
import 'reflect-metadata'
import { createHash, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { importPublicKey, keyParameters } from '../keys/issue-certificate'
import type { KeyAlgorithm } from '../keys/signing-key'
import { signDigest, type KeyInToken } from '../token/key-in-token'
import { readPublicKey } from '../token/public-key'
import type { Token } from '../token/token'
import { TokenError } from '../token/token-error'

/** A PKCS#10 request in PEM. `subject` as in `C=MA, O=Company, CN=Invoices`. */
export async function requestCertificate(
  token: Token,
  key: KeyInToken & { algorithm: KeyAlgorithm },
  subject: string,
): Promise<string> {
  const spki = readPublicKey(token, key).export({ type: 'spki', format: 'der' })
  const publicKey = await importPublicKey(spki, key.algorithm)
  // A placeholder: only the algorithm of the key is known outside the token.
  const privateKey = { type: 'private', algorithm: publicKey.algorithm } as webcrypto.CryptoKey
  const request = await x509.Pkcs10CertificateRequestGenerator.create(
    {
      name: parseSubject(subject),
      keys: { publicKey, privateKey },
      signingAlgorithm: keyParameters[key.algorithm],
    },
    signingInside(token, key),
  )
  return `${request.toString('pem')}\n`
}

/** Web Cryptography, with `sign` done by the token. */
function signingInside(token: Token, key: KeyInToken): webcrypto.Crypto {
  const sign = (_algorithm: unknown, _key: unknown, bytes: ArrayBuffer) => {
    const digest = createHash('sha256').update(Buffer.from(bytes)).digest()
    return signDigest(token, key, { session: token.session, digest })
  }
  const exportKey = (_format: unknown, publicKey: webcrypto.CryptoKey) =>
    webcrypto.subtle.exportKey('spki', publicKey)
  return { subtle: { sign, exportKey } } as unknown as webcrypto.Crypto
}

function parseSubject(subject: string): x509.Name {
  const name = readName(subject)
  if (name && name.toJSON().length > 0) return name
  const sentence = '--subject cannot be read: write it as "C=MA, O=Company, CN=Invoices"'
  throw new TokenError('wrong', sentence)
}

function readName(subject: string): x509.Name | undefined {
  try {
    return new x509.Name(subject)
  } catch {
    return undefined
  }
}
