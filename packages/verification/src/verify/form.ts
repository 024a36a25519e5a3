/**
 * Only this structure is accepted: anything else could be covered by no digest and still be read
 * (signature wrapping).
 */

import type { Document, Element } from '@xmldom/xmldom'
import { findChildren, ds, findElements, ubl, xades, type ElementName } from './xml'

const named =
  (namespace: string) =>
  (local: string): ElementName => ({ namespace: ubl + namespace, local })
const ext = named('CommonExtensionComponents-2')

const roots = ['Invoice', 'CreditNote']

// From the signature outward.
const place: readonly ElementName[] = [
  named('SignatureAggregateComponents-2')('SignatureInformation'),
  named('CommonSignatureComponents-2')('UBLDocumentSignatures'),
  ext('ExtensionContent'),
  ext('UBLExtension'),
  ext('UBLExtensions'),
]

/** `undefined` for a document with the accepted structure. */
export function findFormError(document: Document, signature: Element): string | undefined {
  const root = document.documentElement
  if (!root || !roots.some((local) => is(root, named(`${local}-2`)(local)))) {
    return 'its root is not a UBL 2 Invoice or CreditNote'
  }
  return (
    findPlaceError(root, signature) ??
    findContentError(signature) ??
    findRepeatedId(root) ??
    findForeignError(root)
  )
}

function findPlaceError(root: Element, signature: Element): string | undefined {
  let parent = signature.parentNode as Element
  for (const name of place) {
    if (!is(parent, name) || findChildren(parent.parentNode as Element, name).length !== 1) {
      return 'the signature is not in its place, the only UBLExtension of signatures'
    }
    parent = parent.parentNode as Element
  }
  return parent === root ? undefined : 'the signature belongs to another document inside this one'
}

function findContentError(signature: Element): string | undefined {
  const parts = ['SignedInfo', 'SignatureValue', 'KeyInfo', 'Object'].map(ds)
  const [keyInfo] = findChildren(signature, ds('KeyInfo'))
  const [object] = findChildren(signature, ds('Object'))
  if (!hasExactly(signature, parts) || !keyInfo || !object) {
    return 'the signature contains other parts than SignedInfo, SignatureValue, KeyInfo and one Object'
  }
  const [data] = findChildren(keyInfo, ds('X509Data'))
  const isPlainKey = hasExactly(keyInfo, [ds('X509Data')])
  if (!isPlainKey || listElements(data).some((each) => !is(each, ds('X509Certificate')))) {
    return 'KeyInfo contains more than certificates'
  }
  const [properties] = findChildren(object, xades('QualifyingProperties'))
  const forms = [[xades('SignedProperties')]]
  forms.push([xades('SignedProperties'), xades('UnsignedProperties')])
  const isPlainObject = hasExactly(object, [xades('QualifyingProperties')])
  if (!isPlainObject || !properties || !forms.some((form) => hasExactly(properties, form))) {
    return 'the Object of the signature contains more than its properties'
  }
  const hidden = findElements(signature).find(({ namespaceURI }) => namespaceURI?.startsWith(ubl))
  return hidden && `the signature contains ${hidden.nodeName}, which no digest covers`
}

function findRepeatedId(root: Element): string | undefined {
  const seen = new Set<string>()
  for (const element of findElements(root)) {
    for (const name of ['Id', 'ID', 'id', 'xml:id']) {
      const id = element.getAttribute(name)
      if (id === null) continue
      if (seen.has(id)) return `several elements have the id ${id}`
      seen.add(id)
    }
  }
  return undefined
}

function findForeignError(root: Element): string | undefined {
  for (const { namespaceURI, nodeName, attributes } of findElements(root)) {
    if (namespaceURI === 'http://www.w3.org/2001/XInclude') {
      return `it contains ${nodeName}, which would include another document`
    }
    const dropped = Array.from(attributes).find(({ name }) => droppedNames.test(name))
    if (dropped) return `it has the attribute ${dropped.name}, which no digest covers`
  }
  return undefined
}

/** xml-crypto leaves them out of the canonical form, as if they were declarations. */
const droppedNames = /^xmlns(?!:|$)/

function hasExactly(parent: Element, names: readonly ElementName[]): boolean {
  const elements = listElements(parent)
  return elements.length === names.length && names.every((name, index) => is(elements[index], name))
}

function listElements(parent: Element | undefined): Element[] {
  return Array.from(parent?.childNodes ?? []).filter((node): node is Element => node.nodeType === 1)
}

function is(element: Element | undefined | null, { namespace, local }: ElementName): boolean {
  return element?.namespaceURI === namespace && element.localName === local
}
