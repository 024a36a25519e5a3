/**
 * The typefaces of our documents, opened once a thread: Noto Sans, Noto Naskh Arabic for Arabic, DejaVu Sans for what
 * neither has (Tifinagh, Hebrew, symbols). All may be embedded (SIL OFL 1.1, Bitstream Vera licence).
 */

import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'

export type Weight = 'regular' | 'bold'

/** One typeface in one weight. */
export interface Face {
  /** PostScript name: also the name pdfkit knows it by. */
  name: string
  font: fontkit.Font
  covers(codePoint: number): boolean
}

/** The faces of each weight, the one to prefer first. */
export type Faces = Record<Weight, readonly [Face, ...Face[]]>

const files = {
  regular: [
    '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
    '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  ],
  bold: [
    '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
    '@expo-google-fonts/noto-naskh-arabic/700Bold/NotoNaskhArabic_700Bold.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  ],
} as const

export function openFaces(): Faces {
  return { regular: openAll(files.regular), bold: openAll(files.bold) }
}

function openAll([first, ...rest]: readonly [string, ...string[]]): readonly [Face, ...Face[]] {
  return [openFace(first), ...rest.map(openFace)]
}

function openFace(file: string): Face {
  const font = fontkit.create(readFileSync(require.resolve(file)))
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts, not one`)
  const covered = new Set(font.characterSet)
  return { name: font.postscriptName, font, covers: (codePoint) => covered.has(codePoint) }
}

/**
 * Makes a font forget the glyphs it has met. fontkit remembers each glyph with the first character it stood for, and
 * pdfkit writes that character into the document: without this, what one document holds would depend on the one before.
 */
export function forgetGlyphs({ regular, bold }: Faces): void {
  for (const { font } of [...regular, ...bold]) Object.assign(font, { _glyphs: {} })
}
