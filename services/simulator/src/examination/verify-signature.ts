/**
 * Returns only what the signature covers.
 *
 * One enveloped XAdES signature with two references: the whole document and its SignedProperties
 * (ETSI EN 319 132-1, baseline B-B). The certificate must chain to the configured trust, and every
 * algorithm is named here: those in the document are only compared.
 */

import { X509Certificate, createHash, verify as verifyBytes, type KeyObject } from 'node:crypto'
import { SignedXml } from 'xml-crypto'
import type { Document, Element } from '@xmldom/xmldom'
import { findChainError } from './certificates'
import { Rejection } from '../rejections'
import {
  childrenNamed,
  decodeUtf8,
  descendantsNamed,
  parseXml,
  readText,
  type ElementName,
} from './parse-xml'

const excC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const signedPropertiesType = 'http://uri.etsi.org/01903#SignedProperties'

const certificateDigests: Record<string, string> = {
  [sha256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

const rsaModulusBitsMin = 2048
const certificateCountMax = 10

const ds = (local: string): ElementName => ({
  namespace: 'http://www.w3.org/2000/09/xmldsig#',
  local,
})
const xades = (local: string): ElementName => ({
  namespace: 'http://uri.etsi.org/01903/v1.3.2#',
  local,
})

/** The canonical document without its signature, parsed again from the bytes digested. */
export type SignedDocument = Document

export interface Trust {
  certificates: readonly X509Certificate[]
  /** Certificates must be valid then. */
  at: Date
}

/** Throws `Rejection` INVALID_XML, INVALID_SIGNATURE or UNTRUSTED_CERTIFICATE. */
export function verifySignature(bytes: Uint8Array, trust: Trust): SignedDocument {
  const xml = decodeUtf8(bytes)
  const signature = requireOnly(descendantsNamed(parseXml(xml), ds('Signature')), 'ds:Signature')
  const references = readReferences(signature)
  const certificates = readCertificates(signature)
  const [signing, ...intermediates] = certificates
  const chainError = findChainError({
    signing,
    intermediates,
    trusted: trust.certificates,
    at: trust.at,
  })
  if (chainError !== undefined) throw new Rejection('UNTRUSTED_CERTIFICATE', chainError)

  const covered = coveredBy(xml, signature, signing.publicKey)
  checkSignedProperties(parseXml(covered[references.properties] ?? ''), signing)
  return parseXml(covered[references.document] ?? '')
}

interface References {
  document: number
  properties: number
}

function readReferences(signature: Element): References {
  if (descendantsNamed(signature, ds('SignedInfo')).length !== 1) {
    reject('exactly one SignedInfo is expected')
  }
  const signedInfo = requireOnly(childrenNamed(signature, ds('SignedInfo')), 'SignedInfo')
  requireAlgorithm(signedInfo, ds('CanonicalizationMethod'), [excC14n])
  requireAlgorithm(signedInfo, ds('SignatureMethod'), [ecdsaSha256, rsaSha256])
  const references = childrenNamed(signedInfo, ds('Reference'))
  if (references.length !== 2) reject('exactly two references are expected')

  const document = references.findIndex((reference) => isWholeDocument(reference))
  const properties = references.findIndex((reference) => isSignedProperties(reference))
  const [documentReference, propertiesReference] = [references[document], references[properties]]
  if (!documentReference) reject('no reference with URI="" to the whole document')
  if (!propertiesReference) reject('no reference to SignedProperties')
  requireTransforms(documentReference, [enveloped, excC14n])
  requireTransforms(propertiesReference, [excC14n])
  return { document, properties }
}

function isWholeDocument(reference: Element): boolean {
  return reference.hasAttribute('URI') && reference.getAttribute('URI') === ''
}

function isSignedProperties(reference: Element): boolean {
  const uri = reference.getAttribute('URI') ?? ''
  return reference.getAttribute('Type') === signedPropertiesType && /^#[\w.-]+$/.test(uri)
}

function requireTransforms(reference: Element, expected: readonly string[]): void {
  requireAlgorithm(reference, ds('DigestMethod'), [sha256])
  const transforms = childrenNamed(reference, ds('Transforms'))
    .flatMap((list) => childrenNamed(list, ds('Transform')))
    .map((transform) => transform.getAttribute('Algorithm'))
  if (transforms.join(' ') !== expected.join(' ')) {
    reject(`transforms of a reference must be ${expected.join(', ')}`)
  }
}

function requireAlgorithm(parent: Element, name: ElementName, allowed: readonly string[]): void {
  const algorithm =
    requireOnly(childrenNamed(parent, name), name.local).getAttribute('Algorithm') ?? ''
  if (!allowed.includes(algorithm)) reject(`${name.local} ${algorithm} is not accepted`)
}

/** This profile puts the signing certificate first (ETSI EN 319 132-1 leaves the order open). */
function readCertificates(signature: Element): [X509Certificate, ...X509Certificate[]] {
  const elements = childrenNamed(signature, ds('KeyInfo'))
    .flatMap((keyInfo) => childrenNamed(keyInfo, ds('X509Data')))
    .flatMap((data) => childrenNamed(data, ds('X509Certificate')))
  if (elements.length > certificateCountMax) reject('too many certificates')
  const [signing, ...intermediates] = elements.map(readCertificate)
  if (!signing) reject('KeyInfo holds no X509Certificate')
  return [signing, ...intermediates]
}

function readCertificate(element: Element): X509Certificate {
  const text = readText(element).replace(/[\t\n\r ]/g, '')
  try {
    const certificate = new X509Certificate(Buffer.from(text, 'base64'))
    // The parsers ignore what is not base64, and what follows the certificate.
    if (certificate.raw.toString('base64') === text) return certificate
  } catch (cause) {
    throw new Rejection('INVALID_SIGNATURE', 'a certificate in KeyInfo is not readable', { cause })
  }
  return reject('KeyInfo holds more than a certificate')
}

/** Throws unless all digests and the signature are correct. */
function coveredBy(xml: string, signature: Element, key: KeyObject): string[] {
  const signed = new SignedXml({ publicCert: key })
  signed.SignatureAlgorithms = { [ecdsaSha256]: EcdsaSha256, [rsaSha256]: RsaSha256 }
  signed.HashAlgorithms = only(signed.HashAlgorithms, [sha256])
  signed.CanonicalizationAlgorithms = only(signed.CanonicalizationAlgorithms, [excC14n, enveloped])
  let holds: boolean
  try {
    signed.loadSignature(signature)
    holds = signed.checkSignature(withLineEndsReferenced(xml))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : undefined
    throw new Rejection('INVALID_SIGNATURE', reason, { cause })
  }
  if (!holds) reject('the digest of the document or of its signed properties differs')
  return signed.getSignedReferences()
}

// xml-crypto normalizes line ends as in XML 1.1, which would break a valid digest; character
// references are left alone.
function withLineEndsReferenced(xml: string): string {
  return xml.replace(/[\u0085\u2028\u2029]/g, (end) => `&#${end.charCodeAt(0)};`)
}

/** SignedProperties must name the certificate whose key was used, so that it cannot be swapped. */
function checkSignedProperties(properties: Document, signing: X509Certificate): void {
  const root = properties.documentElement
  const name = xades('SignedProperties')
  if (root?.localName !== name.local || root.namespaceURI !== name.namespace) {
    reject('the second reference is not to SignedProperties')
  }
  const named = descendantsNamed(root, xades('SigningCertificateV2'))
  const digest = requireOnly(
    named.flatMap((element) => descendantsNamed(element, xades('CertDigest'))).slice(0, 1),
    'SigningCertificateV2',
  )
  const method = requireOnly(childrenNamed(digest, ds('DigestMethod')), 'DigestMethod')
  const algorithm = certificateDigests[method.getAttribute('Algorithm') ?? '']
  if (!algorithm) reject('the digest method of SigningCertificateV2 is not accepted')
  const stated = readText(requireOnly(childrenNamed(digest, ds('DigestValue')), 'DigestValue'))
  if (createHash(algorithm).update(signing.raw).digest('base64') !== stated) {
    reject('SigningCertificateV2 names another certificate')
  }
  const [signingTime] = descendantsNamed(root, xades('SigningTime'))
  if (!signingTime || Number.isNaN(Date.parse(readText(signingTime)))) reject('SigningTime missing')
}

class EcdsaSha256 {
  // XMLDSig 1.1 section 6.4.3: r and s side by side, not DER.
  verifySignature = (material: string, key: KeyObject, value: string): boolean =>
    key.asymmetricKeyType === 'ec' &&
    key.asymmetricKeyDetails?.namedCurve === 'prime256v1' &&
    verifyBytes(
      'sha256',
      Buffer.from(material),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(value, 'base64'),
    )
  getSignature = neverSigns
  getAlgorithmName = (): string => ecdsaSha256
}

class RsaSha256 {
  verifySignature = (material: string, key: KeyObject, value: string): boolean =>
    key.asymmetricKeyType === 'rsa' &&
    (key.asymmetricKeyDetails?.modulusLength ?? 0) >= rsaModulusBitsMin &&
    verifyBytes('sha256', Buffer.from(material), key, Buffer.from(value, 'base64'))
  getSignature = neverSigns
  getAlgorithmName = (): string => rsaSha256
}

function neverSigns(): never {
  throw new Error('the platform verifies and never signs documents')
}

function only<T>(table: Record<string, T>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(table).filter(([key]) => keys.includes(key)))
}

function requireOnly(elements: readonly Element[], name: string): Element {
  const [element, ...others] = elements
  if (!element || others.length > 0) reject(`exactly one ${name} is expected`)
  return element
}

function reject(detail: string): never {
  throw new Rejection('INVALID_SIGNATURE', detail)
}
