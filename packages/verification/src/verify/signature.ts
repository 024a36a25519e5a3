/**
 * Checks each digest and the signature value separately, to report which one differs. Only the
 * profile's algorithms are accepted (ETSI EN 319 132-1, XMLDSig 1.1).
 */

import { createHash, verify, type KeyObject, type X509Certificate } from 'node:crypto'
import type { Document, Element } from '@xmldom/xmldom'
import { ExclusiveCanonicalization } from 'xml-crypto'
import {
  ecdsaSha256,
  enveloped,
  excC14n,
  rsaBitsMin,
  rsaSha256,
  sha256,
  signedPropertiesType,
} from '../signature-form'
import { findAll, findChild, findChildren, ds, readText, xades, type ElementName } from './xml'

export const checkNames = [
  ...(['form', 'document', 'signedProperties', 'signature', 'certificate'] as const),
  ...(['authority', 'timeStamp', 'revocation', 'amounts', 'held'] as const),
] as const

export type CheckName = (typeof checkNames)[number]

export interface Check {
  name: CheckName
  ok: boolean
  fault?: string
}

const inclusiveNamespaces = `${excC14n}InclusiveNamespaces`

const certificateDigests: Record<string, string> = {
  [sha256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

export function createCheck(name: CheckName, problem: string | undefined): Check {
  return problem === undefined ? { name, ok: true } : { name, ok: false, fault: problem }
}

export interface DocumentCheck {
  check: Check
  /** The document without its signature, in canonical form. */
  text: string
}

export function checkDocument(document: Document, signature: Element): DocumentCheck {
  const found = findChild(signature, ds('SignedInfo'))
  const references = found ? findChildren(found, ds('Reference')) : []
  const whole = references.filter(
    (reference) => reference.hasAttribute('URI') && reference.getAttribute('URI') === '',
  )
  const [reference] = whole
  const failed = (problem: string) => ({ check: createCheck('document', problem), text: '' })
  if (!reference || whole.length > 1) {
    return failed('the signature does not have exactly one reference to the whole document')
  }
  if (references.length !== 2) {
    return failed(`${references.length} references are signed instead of two`)
  }
  const formError = findReferenceError(reference, [enveloped, excC14n], inclusiveNamespaces)
  if (formError !== undefined) return failed(formError)
  const { parentNode, nextSibling } = signature
  parentNode?.removeChild(signature)
  const root = document.documentElement
  const text = root ? canonicalize(root, readPrefixes(reference)) : ''
  parentNode?.insertBefore(signature, nextSibling)
  const problem = findDigestError(reference, text)
  if (problem === undefined) return { check: createCheck('document', undefined), text }
  return failed(`${problem}: something outside the signature was changed`)
}

export function checkSignedProperties(
  document: Document,
  signature: Element,
  signer: X509Certificate | undefined,
): Check {
  const problem = findSignedPropertiesError(document, signature)
  return createCheck('signedProperties', problem ?? findNamedCertificateError(signature, signer))
}

function findSignedPropertiesError(document: Document, signature: Element): string | undefined {
  const info = findChild(signature, ds('SignedInfo'))
  const references = (info ? findChildren(info, ds('Reference')) : []).filter(
    (reference) => reference.getAttribute('Type') === signedPropertiesType,
  )
  const properties = findSignedProperties(signature)
  const [reference] = references
  if (!reference || references.length > 1) return 'there is no single reference to them'
  if (!properties) return 'the signature has none'
  const id = properties.getAttribute('Id') ?? ''
  if (id === '' || reference.getAttribute('URI') !== `#${id}`) {
    return 'the reference is to something else'
  }
  if (elementsWithId(document, id) !== 1) return `several elements have the id ${id}`
  const problem =
    findReferenceError(reference, [excC14n]) ?? findDigestError(reference, canonicalize(properties))
  return problem && `${problem}: the signing time, certificate or format was changed`
}

export function findSignedProperties(signature: Element): Element | undefined {
  return findChild(
    signature,
    ds('Object'),
    xades('QualifyingProperties'),
    xades('SignedProperties'),
  )
}

function elementsWithId(document: Document, id: string): number {
  return Array.from(document.getElementsByTagName('*')).filter((element) =>
    ['Id', 'ID', 'id', 'xml:id'].some((name) => element.getAttribute(name) === id),
  ).length
}

/** SigningCertificateV2 names the certificate by its digest, so that it cannot be swapped. */
function findNamedCertificateError(
  signature: Element,
  signer: X509Certificate | undefined,
): string | undefined {
  const properties = findSignedProperties(signature)
  const [first] = properties ? findAll(properties, xades('SigningCertificateV2')) : []
  const digest = first && findChildren(first, xades('Cert'))[0]
  const named = digest && findChild(digest, xades('CertDigest'))
  if (!named || !signer) return 'they name no certificate (SigningCertificateV2)'
  const method = findChild(named, ds('DigestMethod'))?.getAttribute('Algorithm') ?? ''
  const algorithm = certificateDigests[method]
  if (algorithm === undefined) return `the digest method ${method} is not accepted`
  const stated = readText(findChild(named, ds('DigestValue')))
  if (createHash(algorithm).update(signer.raw).digest('base64') === stated) return undefined
  return 'they name a different certificate from the one in the signature'
}

export function checkSignatureValue(
  signature: Element,
  signer: X509Certificate | undefined,
): Check {
  const name = 'signature'
  const info = findChild(signature, ds('SignedInfo'))
  if (!info || findAll(signature, ds('SignedInfo')).length !== 1) {
    return createCheck(name, 'there is no single SignedInfo')
  }
  const canonicalization = findAlgorithmError(info, ds('CanonicalizationMethod'), [excC14n])
  const method = findAlgorithmError(info, ds('SignatureMethod'), [ecdsaSha256, rsaSha256])
  const formError = canonicalization ?? method
  if (formError !== undefined) return createCheck(name, formError)
  if (!signer) return createCheck(name, 'there is no certificate to verify it')
  const { publicKey } = signer
  const algorithm = findChild(info, ds('SignatureMethod'))?.getAttribute('Algorithm')
  const keyError = algorithm === ecdsaSha256 ? findEcError(publicKey) : findRsaError(publicKey)
  if (keyError !== undefined) return createCheck(name, keyError)
  const value = Buffer.from(readText(findChild(signature, ds('SignatureValue'))), 'base64')
  // XMLDSig 1.1, section 6.4.3: r and s side by side.
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  const holds = verify('sha256', Buffer.from(canonicalize(info)), key, value)
  const problem = 'it does not match this certificate and the signed content (SignedInfo)'
  return createCheck(name, holds ? undefined : problem)
}

function findEcError({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1') return
  return "the certificate's key is not on curve P-256"
}

function findRsaError({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (asymmetricKeyType === 'rsa' && bits >= rsaBitsMin) return
  return `the certificate's key is not RSA of ${rsaBitsMin} bits or more`
}

/** `parameter`: allowed in the last transform. */
function findReferenceError(
  reference: Element,
  expected: readonly string[],
  parameter?: string,
): string | undefined {
  const transforms = readTransforms(reference).map(describeAlgorithm).join(' and ')
  const usual = expected.join(' and ')
  const isExpected =
    transforms === usual || (parameter !== undefined && transforms === `${usual} with ${parameter}`)
  if (!isExpected) return `its transforms are ${transforms || 'none'} instead of ${usual}`
  return findAlgorithmError(reference, ds('DigestMethod'), [sha256])
}

function readTransforms(reference: Element): Element[] {
  return findChildren(reference, ds('Transforms')).flatMap((list) =>
    findChildren(list, ds('Transform')),
  )
}

/** Declared even if unused (Exclusive XML Canonicalization, 3). */
function readPrefixes(reference: Element): string[] {
  const name = { namespace: excC14n, local: 'InclusiveNamespaces' }
  const lists = readTransforms(reference).flatMap((transform) => findChildren(transform, name))
  return lists.flatMap((list) => (list.getAttribute('PrefixList') ?? '').split(' ').filter(Boolean))
}

function findAlgorithmError(
  parent: Element,
  name: ElementName,
  accepted: readonly string[],
): string | undefined {
  const element = findChild(parent, name)
  if (!element) return `there is no single ${name.local}`
  const algorithm = describeAlgorithm(element)
  return accepted.includes(algorithm) ? undefined : `${name.local} ${algorithm} is not accepted`
}

/** With its parameters, because they change the result. */
function describeAlgorithm(element: Element): string {
  const parameters = Array.from(element.childNodes)
    .filter((node): node is Element => node.nodeType === 1)
    .map(({ namespaceURI, localName }) => ` with ${namespaceURI ?? ''}${localName ?? ''}`)
  return `${element.getAttribute('Algorithm') ?? ''}${parameters.join('')}`
}

function findDigestError(reference: Element, text: string): string | undefined {
  const stated = Buffer.from(readText(findChild(reference, ds('DigestValue'))), 'base64')
  const computed = createHash('sha256').update(text).digest()
  return stated.equals(computed) ? undefined : 'the digest differs'
}

export function canonicalize(
  element: Element,
  inclusiveNamespacesPrefixList: string[] = [],
): string {
  return new ExclusiveCanonicalization().process(element, { inclusiveNamespacesPrefixList })
}
