/** Breaks after spaces, hyphens of compounds and slashes; breaks words wider than the column. */

import type { Paragraph, Span } from './visual-order'

export interface Line {
  paragraph: Paragraph
  span: Span
}

/** Includes spaces at the end. */
export type Measure = (text: string) => number

// Not U+00A0 and U+202F, as in « 1 234 »; « porte-clés » but not « -5 ».
const breaks =
  /(?<=[ \u2000-\u2006\u2008-\u200B\u3000])(?=[^ ])|(?<=\p{L}[-\u2010])(?=\p{L})|(?<=[/\u00AD])(?=[^\s/])/u

/** `inkWidth` leaves out the spaces at the end. */
interface Part {
  text: string
  width: number
  inkWidth: number
}

export function wrapParagraph(paragraph: Paragraph, widthMax: number, measure: Measure): Line[] {
  const { text } = paragraph
  const lines: Line[] = []
  let start = 0
  let end = 0
  let filled = 0
  const finishLine = () => {
    const inkEnd = start + text.slice(start, end).trimEnd().length
    lines.push({ paragraph, span: { start, end: inkEnd } })
    start = end
    filled = 0
  }
  for (const part of splitParts(text, widthMax, measure)) {
    if (filled + part.inkWidth > widthMax && end > start) finishLine()
    end += part.text.length
    filled += part.width
  }
  finishLine()
  return lines
}

function* splitParts(text: string, widthMax: number, measure: Measure): Generator<Part> {
  const space = measure(' ')
  for (const part of text.split(breaks)) {
    if (isSurelyWider(part, widthMax, measure)) {
      yield* splitCharacters(part, measure)
      continue
    }
    // Measured with its spaces, as pdfkit draws it, so that a word is shaped once.
    const width = measure(part)
    const inkWidth = width - space * (part.length - part.trimEnd().length)
    if (inkWidth <= widthMax) yield { text: part, width, inkWidth }
    else yield* splitCharacters(part, measure)
  }
}

const longLength = 64
// Joined, letters take down to a third of their width; marks may take none.
const joinedShare = 1 / 4

/** From characters alone: shaping a long word to measure it costs as much as drawing it. */
function isSurelyWider(word: string, widthMax: number, measure: Measure): boolean {
  if (word.length <= longLength) return false
  const characters = Array.from(word.replaceAll(/\p{M}/gu, ''))
  return characters.reduce((sum, text) => sum + measure(text), 0) * joinedShare > widthMax
}

function* splitCharacters(word: string, measure: Measure): Generator<Part> {
  for (const text of word) {
    const width = measure(text)
    yield { text, width, inkWidth: width }
  }
}
