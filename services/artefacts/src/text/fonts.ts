/**
 * All licences allow embedding (SIL OFL 1.1, Bitstream Vera). DejaVu Sans has what the others lack.
 * The Arabic font has one glyph per letter: text in fonts with separate dots (Noto) cannot be
 * copied.
 */

import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'
import { GlyphSet } from './glyph-set'
import { openShaper, shapeWord, type ShapedWord } from './shaping'
import { usualArabic, usualLatin } from './usual-glyphs'

export type Weight = 'regular' | 'bold'

export interface Face {
  name: string
  font: fontkit.Font
  covers(codePoint: number): boolean
  shape(word: string): ShapedWord
  usualGlyphs: GlyphSet
  /** Makes its letters look as large as those of the others. */
  scale: number
}

export type Faces = Record<Weight, readonly [Face, ...Face[]]>

const families = [
  {
    regular: '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
    bold: '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
    scale: 1,
    usual: usualLatin,
  },
  {
    regular: '@expo-google-fonts/ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular.ttf',
    bold: '@expo-google-fonts/ibm-plex-sans-arabic/700Bold/IBMPlexSansArabic_700Bold.ttf',
    scale: 1.18,
    usual: usualArabic,
  },
  {
    regular: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
    bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
    scale: 1,
    usual: [],
  },
] as const

export function openFaces(): Faces {
  return { regular: openAll('regular'), bold: openAll('bold') }
}

function openAll(weight: Weight): readonly [Face, ...Face[]] {
  const [first, ...others] = families
  return [openFace(first, weight), ...others.map((family) => openFace(family, weight))]
}

function openFace(family: (typeof families)[number], weight: Weight): Face {
  const file = family[weight]
  const font = fontkit.create(readFileSync(require.resolve(file)))
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts, not a single font`)
  const covered = new Set(font.characterSet)
  let usual: GlyphSet | undefined
  let shape: Face['shape'] | undefined
  const usualGlyphs = () => (usual ??= findUsualGlyphs(font, family.usual))
  // Every document needs the first family; the others are loaded for their first text.
  if (family === families[0]) usualGlyphs()
  return {
    name: font.postscriptName,
    font,
    covers: (codePoint) => covered.has(codePoint),
    shape: (word) => (shape ??= openShaper(font, usualGlyphs()))(word),
    get usualGlyphs() {
      return usualGlyphs()
    },
    scale: family.scale,
  }
}

function findUsualGlyphs(font: fontkit.Font, texts: readonly string[]): GlyphSet {
  const set = GlyphSet.of(font)
  for (const text of texts) for (const { glyph } of shapeWord(font, text).glyphs) set.add(glyph)
  return set
}
