/** Exclusive canonical form (Canonical XML 1.0, section 2.3). */

import { isBlank, isXmlText } from '@einvoicing/domain/xml-text'

// One search is enough for almost all text: no markup, no control, no surrogate.
const mayNeedEscape = /[^\t\n\u0020-\u0025\u0027-\u003B\u003D\u003F-\uD7FF\uE000-\uFFFD]/

const textReferences: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#xD;',
}

export function escapeText(text: string): string {
  if (!mayNeedEscape.test(text)) return text
  if (!isXmlText(text)) throw new Error('the document got text that XML 1.0 cannot represent')
  return text.replace(/[&<>\r]/g, (character) => textReferences[character] ?? character)
}

export function textElement(name: string, text: string): string {
  return `<${name}>${escapeText(text)}</${name}>`
}

export function optionalTextElement(name: string, text: string | undefined): string {
  return isBlank(text) ? '' : textElement(name, text)
}
