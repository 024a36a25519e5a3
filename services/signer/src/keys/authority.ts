import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@einvoicing/runtime/clock'
import { makeFolderDurably, writeDurably } from '@einvoicing/runtime/durable-file'
import type { Log } from '@einvoicing/runtime/log'
import { readKeyFile, expiryMs, writeKeyFile, type KeyPair } from './key-file'
import type { KeyAlgorithm } from './signing-key'

export type Authority = KeyPair & { algorithm: KeyAlgorithm }

export interface KeyDeps {
  now: Clock
  log: Log
}

export interface AuthorityFiles {
  directory: string
  algorithm: KeyAlgorithm
}

export function authorityFile(directory: string): string {
  return join(directory, 'authority.pem')
}

export function trustedCertificateFileIn(directory: string): string {
  return join(directory, 'trusted-certificate.pem')
}

/** Loaded when something must be issued: most starts only read what there is. */
export const loadIssuing = () => import('@einvoicing/signer/keys/issue-certificate')

/** Created on first use. Throws when it is damaged or expired. */
export async function openAuthority(
  { directory, algorithm }: AuthorityFiles,
  { now, log }: KeyDeps,
): Promise<Authority> {
  await makeFolderDurably(directory, 0o700)
  const file = authorityFile(directory)
  const found = await readKeyFile(file, log)
  const pair = found ?? (await createAuthority(file, algorithm, { now, log }))
  if (pair.algorithm === undefined)
    throw new Error(`${file} holds a key of an unsupported kind: restore it from a backup`)
  if (expiryMs(pair.certificate) <= now().getTime()) {
    throw new Error(
      `the authority in ${file} expired on ${pair.certificate.validTo}: move ${directory} elsewhere to create new keys`,
    )
  }
  await publishCertificate(trustedCertificateFileIn(directory), pair.certificate.toString())
  return { ...pair, algorithm: pair.algorithm }
}

async function createAuthority(
  file: string,
  algorithm: KeyAlgorithm,
  { now, log }: KeyDeps,
): Promise<KeyPair> {
  const { makeAuthority } = await loadIssuing()
  const pair = await writeKeyFile(file, await makeAuthority(algorithm, now()))
  log.info({ file }, 'certificate authority created')
  return pair
}

// An unreadable file is written again; if that fails, it throws.
async function publishCertificate(file: string, pem: string): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => undefined)
  if (present !== pem) await writeDurably(file, pem, 0o644)
}
