/**
 * Accepts elements and text in UTF-8 only: a DOCTYPE brings entities, and a comment, which no
 * digest covers, splits a text. Nor does a digest of xml-crypto cover an attribute `xmlns…`.
 */

import { DOMParser, XMLSerializer, type Document, type Element } from '@xmldom/xmldom'
import { platformLimits } from '../limits'
import { Rejection } from '../rejections'

const elementNode = 1
const doctypeNode = 10
const commentNode = 8
const processingInstructionNode = 7

// The parser's default also normalizes U+0085 and U+2028, which are text in XML 1.0.
const normalizeLineEndings = (xml: string): string => xml.replace(/\r\n?/g, '\n')

const parser = new DOMParser({
  locator: false,
  normalizeLineEndings,
  onError: (level, message) => {
    // U+FFFD is valid text; invalid UTF-8 was rejected before.
    if (message.startsWith('Unicode replacement character')) return
    throw new Error(`${level}: ${message}`)
  },
})

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Rejection('INVALID_XML', 'not UTF-8', { cause })
  }
}

export function parseXml(xml: string): Document {
  const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(xml)?.[1]
  if (declared !== undefined && declared.toUpperCase() !== 'UTF-8') {
    throw new Rejection('INVALID_XML', `encoding ${declared}`)
  }
  // Before parsing, so that no entity is ever expanded.
  if (/<!doctype/i.test(xml)) throw new Rejection('INVALID_XML', 'DOCTYPE is not allowed')
  // The parser drops an empty section; another parser would see two texts.
  if (xml.includes('<![CDATA[')) throw new Rejection('INVALID_XML', 'CDATA is not allowed')
  // Time depends on elements, not bytes: a document of only tags would delay the others.
  if (countTags(xml) > platformLimits.tagCount) throw new Rejection('INVALID_XML', 'too long')
  const document = parseStrictly(xml)
  rejectForeignNodes(document)
  return document
}

export function parseCanonical(xml: string): Document {
  return parser.parseFromString(xml, 'application/xml')
}

function countTags(xml: string): number {
  let count = 0
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at + 1)) count += 1
  return count
}

function parseStrictly(xml: string): Document {
  try {
    const document = parser.parseFromString(xml, 'application/xml')
    // The serializer rejects malformed names and characters that the parser accepts.
    if (!document.documentElement) throw new Error('no root element')
    new XMLSerializer().serializeToString(document.documentElement, { requireWellFormed: true })
    return document
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0]?.slice(0, 200) : undefined
    throw new Rejection('INVALID_XML', reason, { cause })
  }
}

function rejectForeignNodes(document: Document): void {
  const nodes: NodeListLike[] = [document]
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      const { nodeType } = child
      if (nodeType === doctypeNode || nodeType === commentNode) rejectNode(child.nodeName)
      if (nodeType === processingInstructionNode && child.nodeName !== 'xml') {
        rejectNode(`processing instruction ${child.nodeName}`)
      }
      if (nodeType === elementNode) rejectUncovered(child as Element)
      if (child.firstChild) nodes.push(child)
    }
  }
}

function rejectUncovered({ attributes }: Element): void {
  const dropped = Array.from(attributes).find(({ name }) => /^xmlns(?!:|$)/.test(name))
  if (dropped) rejectNode(`attribute ${dropped.name}`)
}

type NodeListLike = Pick<Document, 'firstChild'>

function rejectNode(name: string): never {
  throw new Rejection('INVALID_XML', `${name} is not allowed`)
}

export interface ElementName {
  namespace: string
  local: string
}

export function childrenNamed(parent: Element, name: ElementName): Element[] {
  const found: Element[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    const element = node as Element
    if (element.localName === name.local && element.namespaceURI === name.namespace) {
      found.push(element)
    }
  }
  return found
}

export function descendantsNamed(root: Document | Element, name: ElementName): Element[] {
  return Array.from(root.getElementsByTagNameNS(name.namespace, name.local))
}

export function readText(element: Element): string {
  return (element.textContent ?? '').trim()
}
