/** Created with its own authority on first start. A restart completes what is missing. */

import { sign, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import type { Log } from '@einvoicing/runtime/log'
import {
  authorityFile,
  loadIssuing,
  openAuthority,
  trustedCertificateFileIn,
  type Authority,
  type KeyDeps,
} from './authority'
import { renewBeforeMs } from './certificate-expiry'
import { readKeyFile, expiryMs, writeKeyFile, type KeyPair } from './key-file'
import type { KeyAlgorithm, SigningIdentity, SigningKey } from './signing-key'

export interface SoftwareKeyConfig {
  kind: 'software'
  directory: string
  algorithm: KeyAlgorithm
}

export interface OpenedKey {
  key: SigningKey
  trustedCertificateFile: string
}

export async function openSoftwareKey(
  config: SoftwareKeyConfig,
  deps: KeyDeps,
): Promise<OpenedKey> {
  await rejectLostAuthority(config, deps.log)
  const authority = await openAuthority(config, deps)
  const { privateKey, certificate } = await openSigningPair(config, authority, deps)
  const identity: SigningIdentity = {
    algorithm: config.algorithm,
    certificates: [certificate.raw],
  }
  const key: SigningKey = {
    identity: () => identity,
    sign: (bytes) => signOffLoop(bytes, privateKey),
    renewal: 'restart the signer to renew it',
    close: () => Promise.resolve(),
  }
  return { key, trustedCertificateFile: trustedCertificateFileIn(config.directory) }
}

async function rejectLostAuthority({ directory }: SoftwareKeyConfig, log: Log): Promise<void> {
  const [authority, signing] = [authorityFile(directory), signingFile({ directory })]
  if ((await readKeyFile(authority, log)) || !(await readKeyFile(signing, log))) return
  throw new Error(
    `${signing} exists, but its authority ${authority} does not: restore it from a backup, or move both elsewhere to create new keys`,
  )
}

async function openSigningPair(
  config: SoftwareKeyConfig,
  authority: Authority,
  { now, log }: KeyDeps,
): Promise<KeyPair> {
  const file = signingFile(config)
  const found = await readKeyFile(file, log)
  if (found) assertUsable(found, config, authority)
  if (found && !needsRenewal(found, authority, now())) return found
  const { issueSigningKey } = await loadIssuing()
  const issued = await issueSigningKey(config.algorithm, authority, now())
  const pair = await writeKeyFile(file, issued)
  log.info(
    { file, validTo: pair.certificate.validTo },
    found ? 'signing key renewed' : 'signing key created',
  )
  return pair
}

function assertUsable(found: KeyPair, config: SoftwareKeyConfig, authority: Authority): void {
  const file = signingFile(config)
  if (found.algorithm !== config.algorithm) {
    throw new Error(
      `SIGNER_KEY_ALGORITHM is ${config.algorithm} but ${file} holds ${found.algorithm ? `an ${found.algorithm}` : 'another kind of'} key: ` +
        'change the setting back, or move the file elsewhere to create a new key',
    )
  }
  if (!found.certificate.verify(authority.certificate.publicKey)) {
    throw new Error(
      `the certificate in ${file} was not issued by the authority beside it: restore both from one backup, or move the file elsewhere`,
    )
  }
}

// Close to the authority's own expiry, a new certificate would not last longer than this one.
function needsRenewal(found: KeyPair, authority: Authority, now: Date): boolean {
  const ends = expiryMs(found.certificate)
  return ends - now.getTime() < renewBeforeMs && ends < expiryMs(authority.certificate)
}

function signingFile({ directory }: Pick<SoftwareKeyConfig, 'directory'>): string {
  return join(directory, 'signing.pem')
}

function signOffLoop(bytes: Buffer, key: KeyObject): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, (error, signature) =>
      error ? reject(error) : resolve(signature),
    )
  })
}
