import { X509Certificate, createPrivateKey, type KeyObject } from 'node:crypto'
import { chmod, readFile, stat } from 'node:fs/promises'
import { writeDurably } from '@einvoicing/runtime/durable-file'
import type { Log } from '@einvoicing/runtime/log'
import type { KeyAlgorithm } from './signing-key'

/** In one PEM file, so that no crash can separate key and certificate. */
export interface KeyPair {
  privateKey: KeyObject
  certificate: X509Certificate
  /** `undefined` for an unsupported kind. */
  algorithm: KeyAlgorithm | undefined
}

const ownerOnly = 0o600
const othersMask = 0o077

/** Removes access by other users. `undefined` without the file; throws when it is damaged. */
export async function readKeyFile(file: string, log: Log): Promise<KeyPair | undefined> {
  const pem = await readIfPresent(file)
  if (pem === undefined) return undefined
  const pair = parseKeyPair(pem, file)
  if (((await stat(file)).mode & othersMask) !== 0) {
    await chmod(file, ownerOnly)
    log.warn({ file }, 'key file was readable by other users: permissions corrected')
  }
  return pair
}

export async function writeKeyFile(file: string, pem: string): Promise<KeyPair> {
  const pair = parseKeyPair(pem, file)
  await writeDurably(file, pem, ownerOnly)
  return pair
}

/** In milliseconds since the epoch. */
export function expiryMs(certificate: X509Certificate): number {
  return Date.parse(certificate.validTo)
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new Error(`cannot read the key file ${file} (${code}): check its owner and permissions`, {
      cause,
    })
  }
}

function parseKeyPair(pem: string, file: string): KeyPair {
  try {
    const privateKey = createPrivateKey(pem)
    const certificate = new X509Certificate(findCertificate(pem))
    if (certificate.checkPrivateKey(privateKey)) {
      return { privateKey, certificate, algorithm: findAlgorithm(privateKey) }
    }
  } catch (cause) {
    throw new Error(
      `the key file ${file} is damaged: it must hold a private key and its certificate in PEM; restore it from a backup`,
      { cause },
    )
  }
  throw new Error(
    `the key file ${file} holds the certificate of another key; restore it from a backup`,
  )
}

function findCertificate(pem: string): string {
  return pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----'))
}

function findAlgorithm({
  asymmetricKeyType,
  asymmetricKeyDetails,
}: KeyObject): KeyAlgorithm | undefined {
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1')
    return 'ecp256'
  if (asymmetricKeyType !== 'rsa') return undefined
  if (asymmetricKeyDetails?.modulusLength === 2048) return 'rsa2048'
  return asymmetricKeyDetails?.modulusLength === 3072 ? 'rsa3072' : undefined
}
