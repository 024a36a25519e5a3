/**
 * Words are shaped once per thread: shaping is more than half of the work. fontkit stores each
 * glyph with its first character, so each word is shaped as if it were the first; no document
 * depends on the one before.
 */

import type { Font, Glyph } from 'fontkit'
import { isPlain } from './characters'
import type { GlyphSet } from './glyph-set'

const wordsRememberedMax = 5_000
// Longer ones are not words, and would fill the cache.
const rememberedLengthMax = 64

/** Distances in thousandths of the font size. */
export interface ShapedWord {
  width: number
  glyphs: readonly PlacedGlyph[]
  /** Only for a word of usual glyphs. */
  usual: readonly ShownGlyphs[] | undefined
}

interface PlacedGlyph {
  glyph: Glyph
  advance: number
  /** Advance beyond the glyph's own width. */
  kerning: number
  /** Offset of a mark over its letter. */
  moved: { x: number; y: number } | undefined
}

/** Operands of `TJ`, with the distance from the start of the word. */
export interface ShownGlyphs {
  operands: string
  x: number
  y: number
}

export function openShaper(font: Font, usual: GlyphSet): (word: string) => ShapedWord {
  const words = new Map<string, ShapedWord>()
  const shapePairs = openPairsShaper(font)
  return (word) => {
    const known = words.get(word)
    if (known) return known
    const shaped = isPlain(word) ? shapePairs(word) : shapeWord(font, word)
    const isUsual = shaped.glyphs.every(({ glyph }) => usual.find(glyph) !== undefined)
    const remembered = { ...shaped, usual: isUsual ? showGlyphs(shaped, usual) : undefined }
    if (word.length > rememberedLengthMax) return remembered
    if (words.size >= wordsRememberedMax) words.clear()
    words.set(word, remembered)
    return remembered
  }
}

export function shapeWord(font: Font, word: string): Omit<ShapedWord, 'usual'> {
  Object.assign(font, { _glyphs: {} })
  // Optional ligatures would be copied out in the wrong order.
  const { glyphs, positions } = font.layout(word, { liga: false })
  const scale = 1000 / font.unitsPerEm
  let width = 0
  const placed = positions.map(({ xAdvance, xOffset, yOffset }, i): PlacedGlyph => {
    const glyph = glyphs[i] as Glyph
    width += xAdvance * scale
    const isMoved = xOffset !== 0 || yOffset !== 0
    return {
      glyph,
      advance: xAdvance * scale,
      kerning: (xAdvance - glyph.advanceWidth) * scale,
      moved: isMoved ? { x: xOffset * scale, y: yOffset * scale } : undefined,
    }
  })
  return { width, glyphs: placed }
}

/** Adds missing glyphs to `set`. */
export function showGlyphs({ glyphs }: Pick<ShapedWord, 'glyphs'>, set: GlyphSet): ShownGlyphs[] {
  const shown: ShownGlyphs[] = []
  let x = 0
  let canContinue = false
  for (const { glyph, advance, kerning, moved } of glyphs) {
    const operand = toOperand(set.add(glyph), kerning)
    const last = shown.at(-1)
    if (last && canContinue && !moved) last.operands += operand
    else shown.push({ operands: operand, x: x + (moved?.x ?? 0), y: moved?.y ?? 0 })
    canContinue = !moved
    x += advance
  }
  return shown.map((part) => ({ ...part, operands: part.operands.replaceAll('><', '') }))
}

function toOperand(number: number, kerning: number): string {
  const hex = `<${number.toString(16).padStart(4, '0')}>`
  return kerning === 0 ? hex : `${hex}${Math.round(-kerning * 100) / 100}`
}

// Only kerning joins plain characters. They have 36,000 pairs, which take some 15 MB.
/** From pairs of characters, each shaped once: a tenth of the time. */
function openPairsShaper(font: Font): (word: string) => Omit<ShapedWord, 'usual'> {
  const pairs = new Map<string, PlacedGlyph>()
  const findFirstGlyph = (pair: string): PlacedGlyph => {
    const known = pairs.get(pair)
    if (known) return known
    const [first] = shapeWord(font, pair).glyphs
    if (!first) throw new Error(`no glyph for ${pair}`)
    pairs.set(pair, first)
    return first
  }
  return (word) => {
    const glyphs = Array.from(word, (_, i) => findFirstGlyph(word.slice(i, i + 2)))
    return { width: glyphs.reduce((sum, { advance }) => sum + advance, 0), glyphs }
  }
}
