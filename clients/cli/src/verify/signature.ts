/**
 * One enveloped XAdES signature, taken apart: each digest and the signature value by themselves, so
 * that it can be said which of them differs.
 *
 * Algorithms and transforms are the profile's own; whatever else a document names is a fault, never
 * obeyed (ETSI EN 319 132-1, XMLDSig 1.1).
 */

import { createHash, verify, type KeyObject, type X509Certificate } from 'node:crypto'
import type { Document, Element } from '@xmldom/xmldom'
import { ExclusiveCanonicalization } from 'xml-crypto'
import { allOf, childAt, childrenOf, ds, textOf, xades, type ElementName } from './xml'

/** What was looked at; `fault` says what is wrong with it. */
export interface Check {
  name: string
  ok: boolean
  fault?: string
}

const excC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const inclusiveNamespaces = `${excC14n}InclusiveNamespaces`
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const ecdsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'
const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const signedPropertiesType = 'http://uri.etsi.org/01903#SignedProperties'
const rsaBitsMin = 2048

const certificateDigests: Record<string, string> = {
  [sha256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
}

export function checkOf(name: string, fault: string | undefined): Check {
  return fault === undefined ? { name, ok: true } : { name, ok: false, fault }
}

/** The digest of all that is not the signature itself. Takes the signature out of the document. */
export function checkDocument(document: Document, signature: Element): Check {
  const name = 'document'
  const found = childAt(signature, ds('SignedInfo'))
  const references = found ? childrenOf(found, ds('Reference')) : []
  const whole = references.filter(
    (reference) => reference.hasAttribute('URI') && reference.getAttribute('URI') === '',
  )
  const [reference] = whole
  if (!reference || whole.length > 1) {
    return checkOf(name, 'there is no single reference to the whole document')
  }
  if (references.length !== 2) {
    return checkOf(name, `${references.length} references are signed, where two belong`)
  }
  const formFault = referenceFault(reference, [enveloped, excC14n], inclusiveNamespaces)
  if (formFault !== undefined) return checkOf(name, formFault)
  const { parentNode, nextSibling } = signature
  parentNode?.removeChild(signature)
  const root = document.documentElement
  const fault = root
    ? digestFault(reference, root, prefixesOf(reference))
    : 'there is no root element'
  parentNode?.insertBefore(signature, nextSibling)
  return checkOf(name, fault && `${fault}: something outside the signature was changed`)
}

/** The digest of what the signer says of himself and of the moment, and whom it names. */
export function checkSignedProperties(
  document: Document,
  signature: Element,
  signer: X509Certificate | undefined,
): Check {
  const fault = signedPropertiesFault(document, signature)
  return checkOf('signed properties', fault ?? namedCertificateFault(signature, signer))
}

function signedPropertiesFault(document: Document, signature: Element): string | undefined {
  const info = childAt(signature, ds('SignedInfo'))
  const references = (info ? childrenOf(info, ds('Reference')) : []).filter(
    (reference) => reference.getAttribute('Type') === signedPropertiesType,
  )
  const properties = signedPropertiesOf(signature)
  const [reference] = references
  if (!reference || references.length > 1) return 'there is no single reference to them'
  if (!properties) return 'the signature holds none'
  const id = properties.getAttribute('Id') ?? ''
  if (id === '' || reference.getAttribute('URI') !== `#${id}`) {
    return 'the reference is to something else'
  }
  if (elementsWithId(document, id) !== 1) return `several elements have the id ${id}`
  const fault = referenceFault(reference, [excC14n]) ?? digestFault(reference, properties)
  return fault && `${fault}: the time, the certificate or the format that was signed is another`
}

export function signedPropertiesOf(signature: Element): Element | undefined {
  return childAt(signature, ds('Object'), xades('QualifyingProperties'), xades('SignedProperties'))
}

function elementsWithId(document: Document, id: string): number {
  return Array.from(document.getElementsByTagName('*')).filter((element) =>
    ['Id', 'ID', 'id', 'xml:id'].some((name) => element.getAttribute(name) === id),
  ).length
}

/** SigningCertificateV2 names the certificate by its digest, so that it cannot be swapped. */
function namedCertificateFault(
  signature: Element,
  signer: X509Certificate | undefined,
): string | undefined {
  const properties = signedPropertiesOf(signature)
  const [first] = properties ? allOf(properties, xades('SigningCertificateV2')) : []
  const digest = first && childrenOf(first, xades('Cert'))[0]
  const named = digest && childAt(digest, xades('CertDigest'))
  if (!named || !signer) return 'they name no certificate (SigningCertificateV2)'
  const method = childAt(named, ds('DigestMethod'))?.getAttribute('Algorithm') ?? ''
  const algorithm = certificateDigests[method]
  if (algorithm === undefined) return `the digest method ${method} is not accepted`
  const stated = textOf(childAt(named, ds('DigestValue')))
  if (createHash(algorithm).update(signer.raw).digest('base64') === stated) return undefined
  return 'they name another certificate than the one in the signature'
}

/** The signature value over SignedInfo, by the certificate's key. */
export function checkSignatureValue(
  signature: Element,
  signer: X509Certificate | undefined,
): Check {
  const name = 'signature value'
  const info = childAt(signature, ds('SignedInfo'))
  if (!info || allOf(signature, ds('SignedInfo')).length !== 1) {
    return checkOf(name, 'there is no single SignedInfo')
  }
  const canonicalization = algorithmFault(info, ds('CanonicalizationMethod'), [excC14n])
  const method = algorithmFault(info, ds('SignatureMethod'), [ecdsaSha256, rsaSha256])
  const formFault = canonicalization ?? method
  if (formFault !== undefined) return checkOf(name, formFault)
  if (!signer) return checkOf(name, 'there is no certificate to verify it with')
  const { publicKey } = signer
  const algorithm = childAt(info, ds('SignatureMethod'))?.getAttribute('Algorithm')
  const keyFault = algorithm === ecdsaSha256 ? ecFault(publicKey) : rsaFault(publicKey)
  if (keyFault !== undefined) return checkOf(name, keyFault)
  const value = Buffer.from(textOf(childAt(signature, ds('SignatureValue'))), 'base64')
  // XMLDSig 1.1, section 6.4.3: r and s side by side.
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  const holds = verify('sha256', Buffer.from(canonical(info)), key, value)
  const fault = 'it is not that of this certificate over what is signed (SignedInfo)'
  return checkOf(name, holds ? undefined : fault)
}

function ecFault({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1') return
  return "the certificate's key is not of P-256"
}

function rsaFault({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (asymmetricKeyType === 'rsa' && bits >= rsaBitsMin) return
  return `the certificate's key is not RSA of ${rsaBitsMin} bits or more`
}

/** `parameter` is what the last transform may hold. */
function referenceFault(
  reference: Element,
  expected: readonly string[],
  parameter?: string,
): string | undefined {
  const transforms = transformsOf(reference).map(algorithmOf).join(' and ')
  const usual = expected.join(' and ')
  const isExpected =
    transforms === usual || (parameter !== undefined && transforms === `${usual} with ${parameter}`)
  if (!isExpected) return `its transforms are ${transforms || 'none'}, and not ${usual}`
  return algorithmFault(reference, ds('DigestMethod'), [sha256])
}

function transformsOf(reference: Element): Element[] {
  return childrenOf(reference, ds('Transforms')).flatMap((list) =>
    childrenOf(list, ds('Transform')),
  )
}

/** Whose declarations count even where they are not used (Exclusive XML Canonicalization, 3). */
function prefixesOf(reference: Element): string[] {
  const name = { namespace: excC14n, local: 'InclusiveNamespaces' }
  const lists = transformsOf(reference).flatMap((transform) => childrenOf(transform, name))
  return lists.flatMap((list) => (list.getAttribute('PrefixList') ?? '').split(' ').filter(Boolean))
}

function algorithmFault(
  parent: Element,
  name: ElementName,
  accepted: readonly string[],
): string | undefined {
  const element = childAt(parent, name)
  if (!element) return `there is no single ${name.local}`
  const algorithm = algorithmOf(element)
  return accepted.includes(algorithm) ? undefined : `${name.local} ${algorithm} is not accepted`
}

/** With its parameters: they change what it does. */
function algorithmOf(element: Element): string {
  const parameters = Array.from(element.childNodes)
    .filter((node): node is Element => node.nodeType === 1)
    .map(({ namespaceURI, localName }) => ` with ${namespaceURI ?? ''}${localName ?? ''}`)
  return `${element.getAttribute('Algorithm') ?? ''}${parameters.join('')}`
}

function digestFault(
  reference: Element,
  element: Element,
  prefixes: string[] = [],
): string | undefined {
  const stated = Buffer.from(textOf(childAt(reference, ds('DigestValue'))), 'base64')
  const computed = createHash('sha256').update(canonical(element, prefixes)).digest()
  return stated.equals(computed) ? undefined : 'the digest differs'
}

function canonical(element: Element, inclusiveNamespacesPrefixList: string[] = []): string {
  return new ExclusiveCanonicalization().process(element, { inclusiveNamespacesPrefixList })
}
