/**
 * Reads an untrusted document: XML 1.0 in UTF-8 with elements and text only. A comment is covered
 * by no digest and splits the text that some readers see.
 */

import { DOMParser, XMLSerializer, type Document, type Element } from '@xmldom/xmldom'

export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

const doctypeNode = 10
const commentNode = 8
const processingInstructionNode = 7

const parser = new DOMParser({
  locator: false,
  // By default U+0085 and U+2028 become line feeds too, as XML 1.1 has it; in 1.0 they are text.
  normalizeLineEndings: (xml) => xml.replace(/\r\n?/g, '\n'),
  onError: (level, message) => {
    // U+FFFD is a character like any other: bytes that are no UTF-8 were refused before.
    if (message.startsWith('Unicode replacement character')) return
    throw new Error(`${level}: ${message}`)
  },
})

/** Throws `Unreadable`. */
export function readXml(bytes: Uint8Array): Document {
  const xml = decodeUtf8(bytes)
  const encoding = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(xml)?.[1]
  if (encoding !== undefined && encoding.toUpperCase() !== 'UTF-8') {
    throw new Unreadable(`it is encoded in ${encoding} instead of UTF-8`)
  }
  // Before parsing, so that no entity is ever expanded.
  if (/<!doctype/i.test(xml)) throw new Unreadable('it has a DOCTYPE, which is not accepted')
  // This parser drops an empty section, where another would see two texts.
  if (xml.includes('<![CDATA['))
    throw new Unreadable('it contains a CDATA section, which is not accepted')
  const document = parseXml(xml)
  rejectOtherNodes(document)
  return document
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Unreadable('it is not UTF-8', { cause })
  }
}

function parseXml(xml: string): Document {
  try {
    const document = parser.parseFromString(xml, 'application/xml')
    if (!document.documentElement) throw new Error('it has no root element')
    // The parser lets some wrong names and characters pass; the serializer does not.
    new XMLSerializer().serializeToString(document.documentElement, { requireWellFormed: true })
    return document
  } catch (cause) {
    const [reason = ''] = cause instanceof Error ? cause.message.split('\n') : []
    throw new Unreadable(`it is not well-formed XML (${reason.slice(0, 200)})`, { cause })
  }
}

function rejectOtherNodes(document: Document): void {
  const nodes: Pick<Document, 'firstChild'>[] = [document]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      const isDeclaration = child.nodeName === 'xml'
      const isOther =
        child.nodeType === doctypeNode ||
        child.nodeType === commentNode ||
        (child.nodeType === processingInstructionNode && !isDeclaration)
      if (isOther) throw new Unreadable(`it contains ${child.nodeName}, which is not accepted`)
      if (child.firstChild) nodes.push(child)
    }
  }
}

export interface ElementName {
  namespace: string
  local: string
}

export const ds = (local: string): ElementName => ({
  namespace: 'http://www.w3.org/2000/09/xmldsig#',
  local,
})

export const xades = (local: string): ElementName => ({
  namespace: 'http://uri.etsi.org/01903/v1.3.2#',
  local,
})

export const xades141 = (local: string): ElementName => ({
  namespace: 'http://uri.etsi.org/01903/v1.4.1#',
  local,
})

export function findAll(root: Document | Element, name: ElementName): Element[] {
  return Array.from(root.getElementsByTagNameNS(name.namespace, name.local))
}

export function findElements(root: Element): Element[] {
  return [root, ...Array.from(root.getElementsByTagName('*'))]
}

export function findChildren(parent: Element, name: ElementName): Element[] {
  return Array.from(parent.childNodes).filter(
    (node): node is Element =>
      (node as Element).localName === name.local &&
      (node as Element).namespaceURI === name.namespace,
  )
}

/** The only child along each name; `undefined` if there is none, or more than one. */
export function findChild(parent: Element, ...names: ElementName[]): Element | undefined {
  return names.reduce<Element | undefined>((at, name) => {
    const found = at ? findChildren(at, name) : []
    return found.length === 1 ? found[0] : undefined
  }, parent)
}

export function readText(element: Element | undefined): string {
  return (element?.textContent ?? '').trim()
}
