// Lone surrogates, C0 controls but TAB LF CR, U+FFFE and U+FFFF. The `u` flag makes a proper pair
// one character.
// eslint-disable-next-line no-control-regex -- naming the forbidden controls is the point
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/u

/** Production [2] Char of XML 1.0. */
export function isXmlText(text: string): boolean {
  return !forbidden.test(text)
}

/** Absent or nothing but XML white space, as XPath `normalize-space` sees it. */
export function isBlank(text: string | undefined): text is undefined | '' {
  return text === undefined || !/[^ \t\r\n]/.test(text)
}
