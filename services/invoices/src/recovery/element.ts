import { readXml, Unreadable } from '@einvoicing/verification/verify/xml'
import type { Element } from '@xmldom/xmldom'

export type { Element }

/** Throws for what `readXml` does not read, such as malformed XML or a DOCTYPE. */
export function parseDocument(bytes: Uint8Array): Element {
  try {
    const { documentElement } = readXml(bytes)
    if (documentElement) return documentElement
    throw new Unreadable('it has no root element')
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw new Error(error.message.replace(/^it /, 'the document '), { cause: error })
  }
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
