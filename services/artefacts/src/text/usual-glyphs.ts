/**
 * The characters that most documents consist of, as short texts whose shaping gives every glyph
 * that they may become. The font file of these glyphs is the same in all documents, so it is made
 * once.
 */

export const usualLatin = [
  ...rangeOf(0x20, 0x7e),
  ...'ÀÂÇÈÉÊËÎÏÔÙÛÜŒàâäçèéêëîïôöùûüœ«»°²·×‘’“”–—…€″\u00A0\u202F',
]

const letters = [...rangeOf(0x621, 0x63a), ...rangeOf(0x641, 0x64a)]

// Tatweel joins on both sides: beside it a letter takes each of its four forms.
const forms = (text: string) => [text, `${text}ـ`, `ـ${text}`, `ـ${text}ـ`]

export const usualArabic = [' ', ...'،؟', ...[...letters, 'لا', 'لأ', 'لإ', 'لآ'].flatMap(forms)]

function rangeOf(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
}
