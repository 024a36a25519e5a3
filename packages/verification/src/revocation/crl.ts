import type { X509Certificate } from 'node:crypto'
import { readCertificateFields, readExtensions, type Extension } from '../certificate-fields'
import {
  contextTag,
  readBits,
  readChildren,
  readElement,
  readElements,
  readTime,
  tags,
  type DerElement,
} from '../der'
import { isSignedBy, readSignatureHash } from '../time-stamps/algorithms'
import { readListScope, wholeScope, type ListScope } from './list-scope'
import { isEitherTime, readEitherTime, RevocationError, type Statement } from './statement'

const issuingDistributionPoint = '2.5.29.28'
const expiredCertsOnCrl = '2.5.29.60'

/** A CertificateList (RFC 5280, section 5). Throws `DerError` or `RevocationError`. */
export function verifyCrl(bytes: Buffer, issuers: readonly X509Certificate[]): Statement {
  const [list, algorithm, signature] = readChildren(readElement(bytes), tags.sequence)
  const { issuer, innerAlgorithm, thisUpdate, nextUpdate, revoked, extensions } = readFields(list)
  if (!algorithm || !innerAlgorithm.bytes.equals(algorithm.bytes)) {
    throw new RevocationError('the revocation list names two signature algorithms')
  }
  const hash = readSignatureHash(algorithm)
  const signed = { hash, content: list?.bytes ?? Buffer.alloc(0), signature: readBits(signature) }
  const isSigned = issuers.some(
    (one) =>
      one.ca && readCertificateFields(one).subject.equals(issuer.bytes) && isSignedBy(one, signed),
  )
  if (!isSigned) {
    throw new RevocationError('the signature of a revocation list does not match its issuer')
  }
  const scope = readScope(extensions)
  const expired = extensions.find(({ oid }) => oid === expiredCertsOnCrl)
  return {
    thisUpdate: readEitherTime(thisUpdate),
    nextUpdate: nextUpdate && readEitherTime(nextUpdate),
    endedSince: expired && readTime(readElement(expired.value)),
    about(certificate) {
      const fields = readCertificateFields(certificate)
      if (!fields.issuer.equals(issuer.bytes) || !scope.covers(certificate)) return undefined
      const revokedAt = findRevocation(revoked, fields.serialNumber)
      if (revokedAt) return { revokedAt }
      return scope.hasAllReasons ? 'good' : undefined
    },
  }
}

function readFields(list: DerElement | undefined) {
  const fields = readChildren(list, tags.sequence)
  if (fields[0]?.tag === tags.integer) fields.shift()
  const [innerAlgorithm, issuer, thisUpdate, ...others] = fields
  if (!innerAlgorithm || !issuer) throw new RevocationError('a revocation list without issuer')
  return {
    innerAlgorithm,
    issuer,
    thisUpdate,
    nextUpdate: others.find(isEitherTime),
    revoked: others.find(({ tag }) => tag === tags.sequence),
    extensions: readExtensions(others.find(({ tag }) => tag === contextTag(0))),
  }
}

function findRevocation(revoked: DerElement | undefined, serialNumber: Buffer): Date | undefined {
  for (const entry of revoked ? readElements(revoked.content) : []) {
    const [serial, time] = readChildren(entry, tags.sequence)
    if (serial?.content.equals(serialNumber)) return readEitherTime(time)
  }
  return undefined
}

/** Section 5.2: a list with an unknown critical extension proves nothing. */
function readScope(extensions: readonly Extension[]): ListScope {
  const unknown = extensions.find(
    ({ oid, isCritical }) => isCritical && oid !== issuingDistributionPoint,
  )
  if (unknown) {
    throw new RevocationError(`a revocation list has the critical extension ${unknown.oid}`)
  }
  const found = extensions.find(({ oid }) => oid === issuingDistributionPoint)
  return found ? readListScope(found.value) : wholeScope
}
