/** The digested bytes. `SignedXml` of xml-crypto finds them by XPath, at twice the cost. */

import { createHash, verify as verifyBytes, type KeyObject } from 'node:crypto'
import type { Element } from '@xmldom/xmldom'
import { ExclusiveCanonicalization } from 'xml-crypto'
import { Rejection } from '../rejections'
import { readText } from './parse-xml'

const rsaModulusBitsMin = 2048
/** Attributes that may identify an element, in any namespace. */
const idNames: readonly (string | null)[] = ['Id', 'ID', 'id']

export const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

export interface SignatureParts {
  signature: Element
  signedInfo: Element
  algorithm: string
  signatureValue: Element
  /** `DigestValue` of the reference to the whole document. */
  documentDigest: Element
  /** Declared on the root whether or not it uses them (Exclusive XML Canonicalization, 3). */
  documentPrefixes: readonly string[]
  propertiesDigest: Element
  propertiesId: string
}

export interface CoveredParts {
  document: string
  properties: string
}

/** Takes the signature out of its document. Throws unless all digests and its value are correct. */
export function readCoveredParts(parts: SignatureParts, key: KeyObject): CoveredParts {
  try {
    const properties = canonicalize(findById(parts.signature, parts.propertiesId))
    const signedInfo = canonicalize(parts.signedInfo)
    const root = parts.signature.ownerDocument?.documentElement
    parts.signature.parentNode?.removeChild(parts.signature)
    const document = root ? canonicalize(root, parts.documentPrefixes) : ''
    checkDigest(document, parts.documentDigest)
    checkDigest(properties, parts.propertiesDigest)
    if (!isSignedBy(key, signedInfo, parts)) reject('the signature value is not of this key')
    return { document, properties }
  } catch (cause) {
    if (cause instanceof Rejection) throw cause
    // An empty document, or one nested too deeply.
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : undefined
    throw new Rejection('INVALID_SIGNATURE', reason, { cause })
  }
}

function canonicalize(element: Element, prefixes: readonly string[] = []): string {
  const options = { inclusiveNamespacesPrefixList: [...prefixes] }
  return new ExclusiveCanonicalization().process(element, options)
}

/** Two elements of one id would let a signed one stand in for another. */
function findById({ ownerDocument }: Element, id: string): Element {
  const [found, ...others] = Array.from(ownerDocument?.getElementsByTagName('*') ?? []).filter(
    ({ attributes }) =>
      Array.from(attributes).some(({ localName, value }) => {
        return value === id && idNames.includes(localName)
      }),
  )
  if (!found || others.length > 0)
    return reject(`exactly one element with the id ${id} is expected`)
  return found
}

function checkDigest(canonical: string, digest: Element): void {
  const stated = Buffer.from(readText(digest), 'base64')
  if (createHash('sha256').update(canonical).digest().equals(stated)) return
  reject('the digest of the document or of its signed properties differs')
}

function isSignedBy(
  key: KeyObject,
  signedInfo: string,
  { algorithm, signatureValue }: SignatureParts,
): boolean {
  const details = key.asymmetricKeyDetails
  const isEc = key.asymmetricKeyType === 'ec' && details?.namedCurve === 'prime256v1'
  const isRsa =
    key.asymmetricKeyType === 'rsa' && (details?.modulusLength ?? 0) >= rsaModulusBitsMin
  if (!(algorithm === ecdsaSha256 ? isEc : algorithm === rsaSha256 && isRsa)) return false
  // XMLDSig 1.1 section 6.4.3: r and s side by side, not DER. RSA has no such choice.
  const verifier = { key, dsaEncoding: 'ieee-p1363' } as const
  const value = Buffer.from(readText(signatureValue), 'base64')
  return verifyBytes('sha256', Buffer.from(signedInfo), verifier, value)
}

function reject(detail: string): never {
  throw new Rejection('INVALID_SIGNATURE', detail)
}
