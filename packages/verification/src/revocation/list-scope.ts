import type { X509Certificate } from 'node:crypto'
import { contextTag, DerError, readChildren, readElement, tags } from '../der'
import { isAtPoint, readPointNames } from './places'

/** Which certificates a revocation list is about. */
export interface ListScope {
  covers(certificate: X509Certificate): boolean
  /** Otherwise a certificate that is not listed may be revoked for another reason. */
  hasAllReasons: boolean
}

export const wholeScope: ListScope = { covers: () => true, hasAllReasons: true }

const fieldTags = {
  point: contextTag(0),
  onlyUsers: 0x81,
  onlyAuthorities: 0x82,
  someReasons: 0x83,
  indirect: 0x84,
  onlyAttributes: 0x85,
} as const
type Field = keyof typeof fieldTags

/** An IssuingDistributionPoint (RFC 5280, sections 5.2.5 and 6.3.3). Throws `DerError`. */
export function readListScope(bytes: Buffer): ListScope {
  const fields = readChildren(readElement(bytes), tags.sequence)
  const known = Object.values<number>(fieldTags)
  if (fields.some(({ tag }) => !known.includes(tag))) {
    throw new DerError('an unknown field in the scope of a revocation list')
  }
  const find = (name: Field) => fields.find(({ tag }) => tag === fieldTags[name])
  const isSet = (name: Field) => find(name)?.content.some((octet) => octet !== 0) === true
  const point = find('point')
  const names = point && readPointNames(point)
  return {
    hasAllReasons: find('someReasons') === undefined,
    covers(certificate) {
      // An entry of an indirect list may have the same serial number of another issuer.
      if (isSet('indirect') || isSet('onlyAttributes')) return false
      if (isSet(certificate.ca ? 'onlyUsers' : 'onlyAuthorities')) return false
      return names === undefined || isAtPoint(certificate, names)
    },
  }
}
