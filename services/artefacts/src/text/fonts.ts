/**
 * The typefaces of our documents, opened once a thread: Noto Sans, IBM Plex Sans Arabic, DejaVu
 * Sans for what neither has (Tifinagh, Hebrew, symbols). All may be embedded (SIL OFL 1.1,
 * Bitstream Vera licence).
 *
 * The Arabic face was chosen for having a glyph a letter: faces that draw dots apart (Noto's) look
 * as well, but their text can neither be copied nor found.
 */

import { readFileSync } from 'node:fs'
import * as fontkit from 'fontkit'
import { rememberingWords } from './shaping'

export type Weight = 'regular' | 'bold'

/** One typeface in one weight. */
export interface Face {
  /** PostScript name: also the name pdfkit knows it by. */
  name: string
  font: fontkit.Font
  covers(codePoint: number): boolean
  /** Its letters are drawn this much larger, to look as large as those of the others. */
  scale: number
}

/** The faces of each weight, the one to prefer first. */
export type Faces = Record<Weight, readonly [Face, ...Face[]]>

const arabicScale = 1.18

const files = {
  regular: [
    '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
    '@expo-google-fonts/ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular.ttf',
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  ],
  bold: [
    '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
    '@expo-google-fonts/ibm-plex-sans-arabic/700Bold/IBMPlexSansArabic_700Bold.ttf',
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
  return {
    name: font.postscriptName,
    font: rememberingWords(font),
    covers: (codePoint) => covered.has(codePoint),
    scale: file.includes('arabic') ? arabicScale : 1,
  }
}
