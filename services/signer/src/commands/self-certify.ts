/** For trials; keeps what is valid, so that it may run at every start. */

import type { Clock } from '@einvoicing/runtime/clock'
import type { Log } from '@einvoicing/runtime/log'
import { authorityFile, openAuthority } from '../keys/authority'
import { renewBeforeMs } from '../keys/certificate-expiry'
import { certifyPublicKey } from '../keys/issue-certificate'
import type { KeyAlgorithm } from '../keys/signing-key'
import { findCertificates } from '../token/certificates-in-token'
import { findPrivateKeys, findSigningKey, type KeyName } from '../token/key-in-token'
import { readPublicKey } from '../token/public-key'
import type { Token } from '../token/token'
import { installCertificate } from './install-certificate'
import { makeKey } from './make-key'

export interface SelfCertifyOptions {
  name: KeyName
  algorithm: KeyAlgorithm
  directory: string
}

export async function selfCertify(
  token: Token,
  { name, algorithm, directory }: SelfCertifyOptions,
  deps: { now: Clock; log: Log },
): Promise<boolean> {
  if (findPrivateKeys(token, name).length === 0) await makeKey(token, name, algorithm)
  const key = findSigningKey(token, name)
  const authority = await openAuthority({ directory, algorithm: key.algorithm }, deps)
  const now = deps.now()
  const serves = findCertificates(token).some(
    ({ id, certificate }) =>
      id.equals(key.id) &&
      certificate.verify(authority.certificate.publicKey) &&
      Date.parse(certificate.validTo) - now.getTime() > renewBeforeMs,
  )
  if (serves) return false
  const options = { algorithm: key.algorithm, authority, now }
  const pem = await certifyPublicKey(readPublicKey(token, key), options)
  await installCertificate(token, key, { pem, from: authorityFile(directory), now })
  return true
}
