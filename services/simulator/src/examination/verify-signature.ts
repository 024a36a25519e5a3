/**
 * One enveloped XAdES signature, ETSI EN 319 132-1, baseline B-B. Algorithms are named here: those
 * in the document are only compared. Returns only what the signature covers.
 */

import { X509Certificate, createHash } from 'node:crypto'
import type { Document, Element } from '@xmldom/xmldom'
import { findChainError } from './certificates'
import { Rejection } from '../rejections'
import { ecdsaSha256, readCoveredParts, rsaSha256, type SignatureParts } from './covered-parts'
import {
  childrenNamed,
  decodeUtf8,
  descendantsNamed,
  parseCanonical,
  parseXml,
  readText,
  type ElementName,
} from './parse-xml'

const excC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const signedPropertiesType = 'http://uri.etsi.org/01903#SignedProperties'

const certificateDigests: Record<string, string> = {
  [sha256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

const certificateCountMax = 10

const ds = (local: string): ElementName => ({
  namespace: 'http://www.w3.org/2000/09/xmldsig#',
  local,
})
const xades = (local: string): ElementName => ({
  namespace: 'http://uri.etsi.org/01903/v1.3.2#',
  local,
})

const inclusiveNamespaces: ElementName = { namespace: excC14n, local: 'InclusiveNamespaces' }

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
  const parts = readParts(signature)
  const certificates = readCertificates(signature)
  const [signing, ...intermediates] = certificates
  const chainError = findChainError({
    signing,
    intermediates,
    trusted: trust.certificates,
    at: trust.at,
  })
  if (chainError !== undefined) throw new Rejection('UNTRUSTED_CERTIFICATE', chainError)

  const { document, properties } = readCoveredParts(parts, signing.publicKey)
  checkSignedProperties(parseCanonical(properties), signing)
  return parseCanonical(document)
}

function readParts(signature: Element): SignatureParts {
  if (descendantsNamed(signature, ds('SignedInfo')).length !== 1) {
    reject('exactly one SignedInfo is expected')
  }
  const signedInfo = requireChild(signature, ds('SignedInfo'))
  requireAlgorithm(signedInfo, ds('CanonicalizationMethod'), [excC14n])
  const algorithm = requireAlgorithm(signedInfo, ds('SignatureMethod'), [ecdsaSha256, rsaSha256])
  const references = childrenNamed(signedInfo, ds('Reference'))
  if (references.length !== 2) reject('exactly two references are expected')

  const document = references.find((reference) => isWholeDocument(reference))
  const properties = references.find((reference) => isSignedProperties(reference))
  if (!document) reject('no reference with URI="" to the whole document')
  if (!properties) reject('no reference to SignedProperties')
  requireTransforms(document, [enveloped, excC14n])
  requireTransforms(properties, [excC14n])
  const [prefixes, ...others] = descendantsNamed(signedInfo, inclusiveNamespaces)
  const isOfDocument =
    prefixes === undefined || descendantsNamed(document, inclusiveNamespaces)[0] === prefixes
  // Otherwise declarations of ancestors would matter, which this profile does not use.
  if (others.length > 0 || !isOfDocument) {
    reject('InclusiveNamespaces is accepted in the reference to the document only')
  }
  return {
    signature,
    signedInfo,
    algorithm,
    signatureValue: requireChild(signature, ds('SignatureValue')),
    documentDigest: requireChild(document, ds('DigestValue')),
    documentPrefixes: (prefixes?.getAttribute('PrefixList') ?? '').split(' ').filter(Boolean),
    propertiesDigest: requireChild(properties, ds('DigestValue')),
    propertiesId: (properties.getAttribute('URI') ?? '').slice(1),
  }
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

function requireAlgorithm(parent: Element, name: ElementName, allowed: readonly string[]): string {
  const algorithm = requireChild(parent, name).getAttribute('Algorithm') ?? ''
  if (!allowed.includes(algorithm)) reject(`${name.local} ${algorithm} is not accepted`)
  return algorithm
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

/** By base64 text: most documents of an issuer hold the same certificates. */
const readBefore = new Map<string, X509Certificate>()
const readBeforeMax = 100

function readCertificate(element: Element): X509Certificate {
  const text = readText(element).replace(/[\t\n\r ]/g, '')
  const known = readBefore.get(text)
  if (known) return known
  try {
    const certificate = new X509Certificate(Buffer.from(text, 'base64'))
    // The parsers ignore what is not base64, and what follows the certificate.
    if (certificate.raw.toString('base64') === text) {
      if (readBefore.size >= readBeforeMax) readBefore.clear()
      readBefore.set(text, certificate)
      return certificate
    }
  } catch (cause) {
    throw new Rejection('INVALID_SIGNATURE', 'a certificate in KeyInfo is not readable', { cause })
  }
  return reject('KeyInfo holds more than a certificate')
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

function requireChild(parent: Element, name: ElementName): Element {
  return requireOnly(childrenNamed(parent, name), name.local)
}

function requireOnly(elements: readonly Element[], name: string): Element {
  const [element, ...others] = elements
  if (!element || others.length > 0) reject(`exactly one ${name} is expected`)
  return element
}

function reject(detail: string): never {
  throw new Rejection('INVALID_SIGNATURE', detail)
}
