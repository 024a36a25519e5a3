/** XML 1.0 in UTF-8, elements and text only: no digest covers a comment, which splits a text. */

import { DOMParser, XMLSerializer, type Document, type Element } from '@xmldom/xmldom'
import { dsig, etsi } from '../signature-form'
import { findScanError } from './scan'

export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

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
  const error = findScanError(xml)
  if (error !== undefined) throw new Unreadable(error)
  return readXmlText(xml)
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Unreadable('it is not UTF-8', { cause })
  }
}

/** A text that was read once before. Throws `Unreadable`. */
export function readXmlText(xml: string): Document {
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

export interface ElementName {
  namespace: string
  local: string
}

export const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:'

export const ds = (local: string): ElementName => ({
  namespace: dsig,
  local,
})

export const xades = (local: string): ElementName => ({
  namespace: etsi,
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
