import type { X509Certificate } from 'node:crypto'
import { readCertificateFields, type CertificateFields } from './certificate-fields'
import { DerError, readChildren, readElement, tags } from './der'
import { hashes, readSignatureAlgorithm, type HashName } from './time-stamps/algorithms'
import { parseToken } from './time-stamps/token'

export type AlgorithmEnds = Readonly<Record<string, string>>

/**
 * Until when validators are expected to accept an algorithm; others have no known end. RSA by PKCS
 * #1 v1.5: ETSI TS 119 312 v1.4.3, table 6, and the default policy of EU DSS. Reviewed 2026-11.
 */
export const algorithmEnds: AlgorithmEnds = {
  rsa2048: '2029-01-01',
  rsa3072: '2029-01-01',
  rsa4096: '2029-01-01',
}

const curveNames = ['ecp256', 'ecp384', 'ecp521'] as const
const rsaNames = ['rsa2048', 'rsa3072', 'rsa4096'] as const
export const algorithmNames = [
  ...(Object.keys(hashes) as HashName[]),
  ...curveNames,
  ...rsaNames,
] as const

/** Of the imprint, and of the token's signature. */
export function listHashes(token: Buffer): HashName[] {
  const { info, signer } = parseToken(token)
  return [info.hash, signer.hash]
}

interface Signed {
  /** First that of the signature, then its issuers below the trusted one. */
  path: readonly [X509Certificate, ...X509Certificate[]]
  hashes: readonly string[]
}

export function findEnd({ path, hashes: own }: Signed, ends: AlgorithmEnds): Date {
  const names = [...own, ...path.flatMap(listAlgorithms)]
  const times = names.flatMap((name) => ends[name] ?? []).map((end) => Date.parse(end))
  return new Date(Math.min(Date.parse(path[0].validTo), ...times))
}

function listAlgorithms(certificate: X509Certificate): string[] {
  const key = nameKey(certificate)
  try {
    return [key, ...listSignatureAlgorithms(readCertificateFields(certificate))]
  } catch (error) {
    if (error instanceof DerError) return [key]
    throw error
  }
}

const curves: Readonly<Record<string, string>> = {
  prime256v1: 'ecp256',
  secp384r1: 'ecp384',
  secp521r1: 'ecp521',
}

function nameKey({ publicKey }: X509Certificate): string {
  const { namedCurve, modulusLength = 0 } = publicKey.asymmetricKeyDetails ?? {}
  return namedCurve === undefined ? nameRsa(modulusLength) : (curves[namedCurve] ?? namedCurve)
}

/** As strong as the next smaller named size. */
function nameRsa(bits: number): string {
  return rsaNames.findLast((name) => bits >= Number(name.slice(3))) ?? `rsa${bits}`
}

/** Without the issuer's certificate: a signature is as long as its key. */
function listSignatureAlgorithms({ signature: { algorithm, value } }: CertificateFields): string[] {
  const { key, hash } = readSignatureAlgorithm(algorithm)
  const own = hash === undefined ? [] : [hash]
  if (key === 'rsa') return [...own, nameRsa(value.length * 8)]
  const octets = readChildren(readElement(value), tags.sequence).map(
    ({ content }) => content.length,
  )
  // An integer may have one octet more, which is zero.
  const bits = (Math.max(...octets) - 1) * 8
  return [...own, curveNames.find((name) => bits <= Number(name.slice(3))) ?? 'ecp521']
}
