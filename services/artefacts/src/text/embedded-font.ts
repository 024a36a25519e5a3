import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { Font, Glyph } from 'fontkit'
import { toPdfString, type PdfDocument } from './pdf-document'
import type { Face } from './fonts'
import type { GlyphSet } from './glyph-set'

interface FontParts {
  /** Six letters before the name mark a subset. */
  tag: string
  file: Stream
  toUnicode: Stream
  widths: number[]
}

interface Stream {
  deflated: Buffer
  length: number
}

const shared = new WeakMap<GlyphSet, FontParts>()

export function embedFont(
  document: PdfDocument,
  reference: ReturnType<PdfDocument['ref']>,
  { face, glyphs }: { face: Face; glyphs: GlyphSet },
): void {
  const { tag, file, toUnicode, widths } =
    glyphs === face.usualGlyphs ? share(face) : make(face.font, glyphs)
  const name = `${tag}+${face.name}`
  const fontFile = addStream(document, file, { Length1: file.length })
  const descriptor = document.ref({ ...describe(face.font), FontName: name, FontFile2: fontFile })
  descriptor.end(undefined)
  const descendant = document.ref({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: {
      Registry: toPdfString('Adobe'),
      Ordering: toPdfString('Identity'),
      Supplement: 0,
    },
    FontDescriptor: descriptor,
    W: [0, widths],
    CIDToGIDMap: 'Identity',
  })
  descendant.end(undefined)
  Object.assign(reference.data, {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [descendant],
    ToUnicode: addStream(document, toUnicode),
  })
  reference.end(undefined)
}

function share({ font, usualGlyphs }: Face): FontParts {
  const made = shared.get(usualGlyphs) ?? make(font, usualGlyphs)
  shared.set(usualGlyphs, made)
  return made
}

function make(font: Font, { glyphs }: GlyphSet): FontParts {
  const file = Buffer.from(encodeSubset(font, glyphs))
  const scale = 1000 / font.unitsPerEm
  return {
    tag: toTag(file),
    file: deflate(file),
    toUnicode: deflate(Buffer.from(toUnicodeMap(glyphs))),
    widths: glyphs.map(({ advanceWidth }) => advanceWidth * scale),
  }
}

/** fontkit's types are wrong and hide the list, which may hold a glyph twice. */
interface GlyphFile {
  glyphs: number[]
  includeGlyph(id: number): number
  encode(): Uint8Array
}

function encodeSubset(font: Font, glyphs: readonly Glyph[]): Uint8Array {
  const subset = font.createSubset() as unknown as GlyphFile
  for (const [number, { id }] of glyphs.entries()) {
    if (number > 0 && subset.includeGlyph(id) !== number) subset.glyphs.push(id)
  }
  return subset.encode()
}

function describe(font: Font): object {
  const scale = 1000 / font.unitsPerEm
  const { minX, minY, maxX, maxY } = font.bbox
  return {
    Type: 'FontDescriptor',
    // Symbolic: its characters are not those of Adobe's standard Latin set.
    Flags: 4,
    FontBBox: [minX, minY, maxX, maxY].map((value) => value * scale),
    ItalicAngle: font.italicAngle,
    Ascent: font.ascent * scale,
    Descent: font.descent * scale,
    CapHeight: (font.capHeight || font.ascent) * scale,
    XHeight: (font.xHeight || 0) * scale,
    StemV: 0,
  }
}

function deflate(bytes: Buffer): Stream {
  return { deflated: deflateSync(bytes, { level: 9 }), length: bytes.length }
}

function addStream(document: PdfDocument, { deflated }: Stream, data: object = {}) {
  const reference = document.ref({ ...data, Filter: 'FlateDecode' })
  reference.end(deflated)
  return reference
}

function toTag(file: Buffer): string {
  const digest = createHash('sha256').update(file).digest()
  return [...digest.subarray(0, 6)].map((byte) => String.fromCharCode(65 + (byte % 26))).join('')
}

// A block holds at most a hundred entries, and none may cross a multiple of 256.
const entriesABlock = 64

/** Needed to copy text out of the PDF (ISO 32000-1, 9.10.3). */
function toUnicodeMap(glyphs: readonly Glyph[]): string {
  const entries = glyphs
    .map(({ codePoints }, number) => ({ number, text: String.fromCodePoint(...codePoints) }))
    .slice(1)
  const blocks: string[] = []
  for (let i = 0; i < entries.length; i += entriesABlock) {
    const block = entries.slice(i, i + entriesABlock)
    const lines = block.map(({ number, text }) => `<${hex(number)}> <${utf16Hex(text)}>`)
    blocks.push(`${block.length} beginbfchar\n${lines.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}

function hex(number: number): string {
  return number.toString(16).padStart(4, '0')
}

function utf16Hex(text: string): string {
  return Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i))).join('')
}
