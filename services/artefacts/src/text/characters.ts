/** Drops direction overrides: no character may make a document read differently from its text. */

const directionControls = /[\u202A-\u202E\u2066-\u2069]/gu
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u

export const replacement = '\uFFFD'

/** Most texts: one paragraph of Latin characters that do not change. */
export function isPlain(text: string): boolean {
  return plain.test(text)
}

const plain = /^[ -~\u00A0-\u00AC\u00AE-\u00FF\u202F]*$/

/** Composed (NFC), tabs as spaces, trimmed; never two empty paragraphs in a row. */
export function splitParagraphs(text: string): string[] {
  if (isPlain(text)) return [text.trim()]
  return text
    .normalize('NFC')
    .replace(directionControls, '')
    .replaceAll('\t', ' ')
    .split(lineEnds)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph, i, all) => paragraph !== '' || all[i - 1] !== '')
}

/** What is left after `countMax` - 1 paragraphs becomes one: line ends alone can fill pages. */
export function limitParagraphs(text: string, countMax: number): string {
  const paragraphs = splitParagraphs(text)
  if (paragraphs.length <= countMax) return text
  const rest = paragraphs.splice(countMax - 1)
  return [...paragraphs, rest.filter(Boolean).join(' ')].join('\n')
}

/** Soft hyphen, direction marks, variation selectors and similar. */
export function isInvisible(codePoint: number): boolean {
  return invisible.test(String.fromCodePoint(codePoint))
}

const invisible = /^[\p{Default_Ignorable_Code_Point}]$/u

export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text)
}

const rightToLeft =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
