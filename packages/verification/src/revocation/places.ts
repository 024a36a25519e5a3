/** RFC 5280, sections 4.2.1.13 and 4.2.2.1. */

import type { X509Certificate } from 'node:crypto'
import { readExtension } from '../certificate-fields'
import {
  contextTag,
  readChildren,
  readElement,
  readElements,
  readOid,
  tags,
  type DerElement,
} from '../der'

export interface RevocationPlaces {
  crls: string[]
  ocsp: string[]
}

const distributionPoints = '2.5.29.31'
const informationAccess = '1.3.6.1.5.5.7.1.1'
const ocspMethod = '1.3.6.1.5.5.7.48.1'
/** `[6] IA5String`, of a GeneralName. */
const uriTag = 0x86

/** Only http and https. Throws `DerError`. */
export function readRevocationPlaces(certificate: X509Certificate): RevocationPlaces {
  const points = readPoints(certificate).flatMap(({ names }) => names)
  const accesses = readItems(certificate, informationAccess).flatMap((access) => {
    const [method, location] = readChildren(access, tags.sequence)
    return location && readOid(method) === ocspMethod ? [location] : []
  })
  return { crls: points.flatMap(readUri), ocsp: accesses.flatMap(readUri) }
}

/** Whether one of the certificate's own distribution points has one of these names. */
export function isAtPoint(certificate: X509Certificate, names: readonly DerElement[]): boolean {
  return readPoints(certificate)
    .filter(({ isLimited }) => !isLimited)
    .some((point) => point.names.some((own) => names.some(({ bytes }) => own.bytes.equals(bytes))))
}

interface Point {
  names: DerElement[]
  /** To lists of some reasons or of another issuer. */
  isLimited: boolean
}

function readPoints(certificate: X509Certificate): Point[] {
  return readItems(certificate, distributionPoints).map((point) => {
    const fields = readChildren(point, tags.sequence)
    const name = fields.find(({ tag }) => tag === contextTag(0))
    return {
      names: name ? readPointNames(name) : [],
      isLimited: fields.some((one) => one !== name),
    }
  })
}

/** Of a DistributionPointName in its tag; none for a name relative to the issuer. */
export function readPointNames({ content }: DerElement): DerElement[] {
  const [full] = readElements(content)
  return full?.tag === contextTag(0) ? readElements(full.content) : []
}

function readItems(certificate: X509Certificate, oid: string): DerElement[] {
  const extension = readExtension(certificate, oid)
  return extension ? readChildren(readElement(extension.value), tags.sequence) : []
}

function readUri({ tag, content }: DerElement): string[] {
  const text = content.toString('latin1')
  return tag === uriTag && /^https?:\/\//i.test(text) && URL.canParse(text) ? [text] : []
}
