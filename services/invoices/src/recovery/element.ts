import { DOMParser, type Element } from '@xmldom/xmldom'

export type { Element }

// The parser's default normalizes the line ends of XML 1.1, which are text in a 1.0 document.
const parser = new DOMParser({
  locator: false,
  normalizeLineEndings: (xml) => xml.replace(/\r\n?/g, '\n'),
  onError: (_level, message) => {
    // U+FFFD is valid text; invalid UTF-8 was rejected before.
    if (!message.startsWith('Unicode replacement character')) {
      throw new Error(`the document is not well-formed XML: ${message}`)
    }
  },
})

/** Throws for malformed XML and for a DOCTYPE. */
export function parseDocument(bytes: Uint8Array): Element {
  const xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  // Before parsing, so that no entity is ever expanded.
  if (/<!doctype/i.test(xml)) throw new Error('the document has a DOCTYPE')
  const root = parser.parseFromString(xml, 'application/xml').documentElement
  if (!root) throw new Error('the document has no root element')
  return root
}

export function elementsAt(parent: Element, path: string): Element[] {
  return path
    .split('/')
    .reduce<Element[]>(
      (found, name) => found.flatMap((each) => childrenNamed(each, name)),
      [parent],
    )
}

/** Not trimmed: numbers may differ in a blank only. */
export function textAt(parent: Element, path: string): string | undefined {
  return elementsAt(parent, path)[0]?.textContent ?? undefined
}

export function requiredText(parent: Element, path: string): string {
  const [element, ...others] = elementsAt(parent, path)
  if (!element || others.length > 0) {
    throw new Error(`the document has ${others.length === 0 ? 'no' : 'more than one'} ${path}`)
  }
  return element.textContent ?? ''
}

function childrenNamed(parent: Element, name: string): Element[] {
  const found: Element[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if ((node as Element).localName === name) found.push(node as Element)
  }
  return found
}
