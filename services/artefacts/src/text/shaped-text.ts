import type { Face } from './fonts'
import { splitRuns } from './runs'
import type { ShapedWord } from './shaping'

/** Distances as a share of the size of the text around it. */
export interface ShapedRun {
  face: Face
  words: readonly ShapedWord[]
  width: number
}

export interface ShapedText {
  runs: readonly ShapedRun[]
  width: number
}

const textsRememberedMax = 5_000
const rememberedLengthMax = 64

const remembered = new WeakMap<readonly [Face, ...Face[]], Map<string, ShapedText>>()

/** The last texts are cached: each is measured, then drawn. */
export function shapeText(text: string, faces: readonly [Face, ...Face[]]): ShapedText {
  const texts = remembered.get(faces) ?? new Map<string, ShapedText>()
  const known = texts.get(text)
  if (known) return known
  const runs = splitRuns(text, faces).map(({ text, face }) => shapeRun(text, face))
  const shaped = { runs, width: runs.reduce((sum, run) => sum + run.width, 0) }
  if (text.length > rememberedLengthMax) return shaped
  if (texts.size >= textsRememberedMax) texts.clear()
  texts.set(text, shaped)
  remembered.set(faces, texts)
  return shaped
}

// After each space, so that a word is shaped the same in every position.
const wordEnds = /(?<= )/

function shapeRun(text: string, face: Face): ShapedRun {
  const words = text.split(wordEnds).map((word) => face.shape(word))
  const width = words.reduce((sum, word) => sum + word.width, 0)
  return { face, words, width: (width * face.scale) / 1_000 }
}
