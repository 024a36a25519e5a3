// Lone surrogates, C0 controls but TAB LF CR, U+FFFE, U+FFFF; with `u` a pair is one character.
// oxlint-disable-next-line no-control-regex -- naming the forbidden controls is the point
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/u

export function isXmlText(text: string): boolean {
  return !forbidden.test(text)
}

/** Absent or nothing but XML white space, as XPath `normalize-space` sees it. */
export function isBlank(text: string | undefined): text is undefined | '' {
  return text === undefined || !/[^ \t\r\n]/.test(text)
}
