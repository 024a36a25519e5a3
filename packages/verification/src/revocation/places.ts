/** RFC 5280, sections 4.2.1.13 and 4.2.2.1. */

import type { X509Certificate } from 'node:crypto'
import {
  contextTag,
  readChildren,
  readElement,
  readElements,
  readOid,
  tags,
  type DerElement,
} from '../time-stamps/der'
import { readExtension } from './statement'

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
  const points = readItems(certificate, distributionPoints).flatMap(readPoint)
  const accesses = readItems(certificate, informationAccess).flatMap((access) => {
    const [method, location] = readChildren(access, tags.sequence)
    return location && readOid(method) === ocspMethod ? [location] : []
  })
  return { crls: points.flatMap(readUri), ocsp: accesses.flatMap(readUri) }
}

function readItems(certificate: X509Certificate, oid: string): DerElement[] {
  const extension = readExtension(certificate, oid)
  return extension ? readChildren(readElement(extension), tags.sequence) : []
}

function readPoint(point: DerElement): DerElement[] {
  const name = readChildren(point, tags.sequence).find(({ tag }) => tag === contextTag(0))
  const [full] = name ? readElements(name.content) : []
  return full?.tag === contextTag(0) ? readElements(full.content) : []
}

function readUri({ tag, content }: DerElement): string[] {
  const text = content.toString('latin1')
  return tag === uriTag && /^https?:\/\//i.test(text) && URL.canParse(text) ? [text] : []
}
