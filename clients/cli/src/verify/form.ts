/**
 * The one form in which a signature says anything of an invoice: where it stands, and what it
 * holds. What a document has besides is covered by no digest, and could be read in place of what is
 * (signature wrapping).
 */

import type { Document, Element } from '@xmldom/xmldom'
import { childrenOf, ds, elementsIn, xades, type ElementName } from './xml'

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:'
const named =
  (namespace: string) =>
  (local: string): ElementName => ({ namespace: ubl + namespace, local })
const ext = named('CommonExtensionComponents-2')

const roots = ['Invoice', 'CreditNote']

// From the signature outwards.
const place: readonly ElementName[] = [
  named('SignatureAggregateComponents-2')('SignatureInformation'),
  named('CommonSignatureComponents-2')('UBLDocumentSignatures'),
  ext('ExtensionContent'),
  ext('UBLExtension'),
  ext('UBLExtensions'),
]

/** `undefined` for a document of that form. */
export function formFault(document: Document, signature: Element): string | undefined {
  const root = document.documentElement
  if (!root || !roots.some((local) => is(root, named(`${local}-2`)(local)))) {
    return 'its root is no Invoice or CreditNote of UBL 2'
  }
  return (
    placeFault(root, signature) ?? contentFault(signature) ?? repeatedId(root) ?? foreignFault(root)
  )
}

function placeFault(root: Element, signature: Element): string | undefined {
  let parent = signature.parentNode as Element
  for (const name of place) {
    if (!is(parent, name) || childrenOf(parent.parentNode as Element, name).length !== 1) {
      return 'the signature is not where it belongs, in the one UBLExtension for it'
    }
    parent = parent.parentNode as Element
  }
  return parent === root ? undefined : 'the signature belongs to another document inside this one'
}

function contentFault(signature: Element): string | undefined {
  const parts = ['SignedInfo', 'SignatureValue', 'KeyInfo', 'Object'].map(ds)
  const [keyInfo] = childrenOf(signature, ds('KeyInfo'))
  const [object] = childrenOf(signature, ds('Object'))
  if (!hasExactly(signature, parts) || !keyInfo || !object) {
    return 'the signature holds other parts than SignedInfo, SignatureValue, KeyInfo and one Object'
  }
  const [data] = childrenOf(keyInfo, ds('X509Data'))
  const isPlainKey = hasExactly(keyInfo, [ds('X509Data')])
  if (!isPlainKey || elementsOf(data).some((each) => !is(each, ds('X509Certificate')))) {
    return 'KeyInfo holds something else than certificates'
  }
  const [properties] = childrenOf(object, xades('QualifyingProperties'))
  const forms = [[xades('SignedProperties')]]
  forms.push([xades('SignedProperties'), xades('UnsignedProperties')])
  const isPlainObject = hasExactly(object, [xades('QualifyingProperties')])
  if (!isPlainObject || !properties || !forms.some((form) => hasExactly(properties, form))) {
    return 'the Object of the signature holds something else than its properties'
  }
  const hidden = elementsIn(signature).find(({ namespaceURI }) => namespaceURI?.startsWith(ubl))
  return hidden && `the signature holds a ${hidden.nodeName}, which no digest covers`
}

function repeatedId(root: Element): string | undefined {
  const seen = new Set<string>()
  for (const element of elementsIn(root)) {
    for (const name of ['Id', 'ID', 'id', 'xml:id']) {
      const id = element.getAttribute(name)
      if (id === null) continue
      if (seen.has(id)) return `several elements have the id ${id}`
      seen.add(id)
    }
  }
  return undefined
}

function foreignFault(root: Element): string | undefined {
  const included = elementsIn(root).find(
    ({ namespaceURI }) => namespaceURI === 'http://www.w3.org/2001/XInclude',
  )
  return included && `it holds a ${included.nodeName}, which would bring in another document`
}

function hasExactly(parent: Element, names: readonly ElementName[]): boolean {
  const elements = elementsOf(parent)
  return elements.length === names.length && names.every((name, index) => is(elements[index], name))
}

function elementsOf(parent: Element | undefined): Element[] {
  return Array.from(parent?.childNodes ?? []).filter((node): node is Element => node.nodeType === 1)
}

function is(element: Element | undefined | null, { namespace, local }: ElementName): boolean {
  return element?.namespaceURI === namespace && element.localName === local
}
