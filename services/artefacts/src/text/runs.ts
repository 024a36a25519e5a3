import { isInvisible, replacement } from './characters'
import type { Face } from './fonts'

export interface Run {
  text: string
  face: Face
}

const privateUse = /^\p{Co}$/u
// A mark stays with its letter and a joiner with its word, whichever font covers them.
const staysWithPrevious = /^[\p{M}\u0020\u200C\u200D]$/u

/** Characters without a font become visible replacements; invisible ones are dropped. */
export function splitRuns(text: string, faces: readonly [Face, ...Face[]]): Run[] {
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
  // PDF/A-3a allows none without a replacement text (ISO 19005-3, 6.2.11.7.3).
  if (privateUse.test(character)) return { text: replacement, face: faces[0] }
  const face = faces.find((face) => face.covers(codePoint))
  return face ? { text: character, face } : { text: replacement, face: faces[0] }
}
