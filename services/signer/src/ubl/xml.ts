/**
 * Markup already in exclusive canonical form (Canonical XML 1.0, section 2.3): no empty-element
 * tags, references only where they must be.
 *
 * Refuses text that XML 1.0 cannot hold: the gateway turned it away, so here it is a defect.
 */

import { isXmlText } from '@einvoicing/domain/xml-text'

// One look settles almost all text: no markup, no control, no surrogate.
const needsCare = /[^\t\n\u0020-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/

const textReferences: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#xD;',
}

/** Character data in canonical form. */
export function escapeText(text: string): string {
  if (!needsCare.test(text)) return text
  if (!isXmlText(text)) throw new Error('text that XML 1.0 cannot hold reached the document')
  return text.replace(/[&<>\r]/g, (character) => textReferences[character] ?? character)
}

/** An element that holds nothing but text. */
export function textElement(name: string, text: string): string {
  return `<${name}>${escapeText(text)}</${name}>`
}

/** Nothing at all where there is no text: an element of blanks says less than none. */
export function optionalTextElement(name: string, text: string | undefined): string {
  return isBlank(text) ? '' : textElement(name, text)
}

/** Whether `text` is absent or nothing but XML white space, as XPath `normalize-space` sees it. */
export function isBlank(text: string | undefined): text is undefined | '' {
  return text === undefined || !/[^ \t\r\n]/.test(text)
}
