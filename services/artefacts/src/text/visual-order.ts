/** The Unicode bidirectional algorithm (UAX #9, rules L2 and L4). */

import bidiFactory, { type EmbeddingLevels } from 'bidi-js'
import { hasRightToLeft } from './characters'

const bidi = bidiFactory()

/** `embedding` is `undefined` for text without right-to-left characters. */
export interface Paragraph {
  text: string
  embedding: EmbeddingLevels | undefined
  /** Decided by its first strong character. */
  isRightToLeft: boolean
}

/** UTF-16 code units, `end` excluded. */
export interface Span {
  start: number
  end: number
}

export function paragraph(text: string): Paragraph {
  if (!hasRightToLeft(text)) return { text, embedding: undefined, isRightToLeft: false }
  const embedding = bidi.getEmbeddingLevels(text)
  const isRightToLeft = (embedding.paragraphs[0]?.level ?? 0) % 2 === 1
  return { text, embedding, isRightToLeft }
}

/** From left to right; within a piece in logical order, which the shaper reverses for Arabic. */
export function visualPieces({ text, embedding }: Paragraph, { start, end }: Span): string[] {
  if (!embedding) return [text.slice(start, end)]
  const { levels } = embedding
  const mirrored = bidi.getMirroredCharactersMap(text, levels, start, end - 1)
  const order = bidi.getReorderedIndices(text, embedding, start, end - 1).slice(start, end)
  return runsOfOneDirection(order, levels).flatMap(({ indices, isRightToLeft }) => {
    if (!isRightToLeft) return [charactersAt(text, indices)]
    const spoken = indices.reverse().map((i) => mirrored.get(i) ?? text.charAt(i))
    return wordsFromTheRight(spoken.join(''))
  })
}

interface DirectedRun {
  indices: number[]
  isRightToLeft: boolean
}

function runsOfOneDirection(order: readonly number[], levels: Uint8Array): DirectedRun[] {
  const runs: DirectedRun[] = []
  for (const index of order) {
    const isRightToLeft = (levels[index] ?? 0) % 2 === 1
    const last = runs.at(-1)
    if (last?.isRightToLeft === isRightToLeft) last.indices.push(index)
    else runs.push({ indices: [index], isRightToLeft })
  }
  return runs
}

function charactersAt(text: string, indices: readonly number[]): string {
  return indices.map((i) => text.charAt(i)).join('')
}

const wordOrCharacter = /[\p{L}\p{M}\u200C\u200D]+|./gsu

// The shaper knows the direction of letters, not that of a lone bracket or space.
function wordsFromTheRight(text: string): string[] {
  return (text.match(wordOrCharacter) ?? []).reverse()
}
