/**
 * Which face draws which part of a text: a face is chosen a character at a time, by what it covers.
 */

import { isInvisible, replacement } from './characters'
import type { Face } from './fonts'

/** Text drawn in one face. */
export interface Run {
  text: string
  face: Face
}

// A mark stays with its letter and a joiner with its word, whatever another face may cover.
const staysWithPrevious = /^[\p{M}\u0020\u200C\u200D]$/u

/**
 * Splits `text` by face. What no face covers becomes a visible replacement; what is not to be seen
 * is dropped.
 */
export function runsOf(text: string, faces: readonly [Face, ...Face[]]): Run[] {
  const runs: Run[] = []
  for (const character of text) {
    const run = drawable(character, faces, runs.at(-1)?.face)
    if (!run) continue
    const last = runs.at(-1)
    if (last?.face === run.face) last.text += run.text
    else runs.push(run)
  }
  return runs
}

function drawable(
  character: string,
  faces: readonly [Face, ...Face[]],
  current: Face | undefined,
): Run | undefined {
  const codePoint = character.codePointAt(0) as number
  if (current?.covers(codePoint) && staysWithPrevious.test(character)) {
    return { text: character, face: current }
  }
  if (isInvisible(codePoint)) return undefined
  const face = faces.find((face) => face.covers(codePoint))
  return face ? { text: character, face } : { text: replacement, face: faces[0] }
}
