/**
 * Text as a client sent it, made ready to be drawn.
 *
 * Embeddings, overrides and isolates are dropped: no character of a description may make a document
 * read otherwise than its characters stand.
 */

// U+202A…202E and U+2066…2069.
const directionControls = /[\u202A-\u202E\u2066-\u2069]/gu
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u

/** What is seen instead of a character that no face can draw. */
export const replacement = '\uFFFD'

/** The paragraphs of a text: composed (NFC), tabulators as spaces, nothing at either end. */
export function paragraphsOf(text: string): string[] {
  return text
    .normalize('NFC')
    .replace(directionControls, '')
    .replaceAll('\t', ' ')
    .split(lineEnds)
    .map((paragraph) => paragraph.trim())
}

/**
 * Characters that guide a layout and are not seen themselves: soft hyphen, marks of direction,
 * variation selectors…
 */
export function isInvisible(codePoint: number): boolean {
  return invisible.test(String.fromCodePoint(codePoint))
}

const invisible = /^[\p{Default_Ignorable_Code_Point}]$/u

/** Whether a text needs the bidirectional algorithm at all; most do not. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text)
}

const rightToLeft =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
