/** The glyphs of most documents: their font file is built once. */

export const usualLatin = [
  ...listCharacters(0x20, 0x7e),
  ...'ÀÂÇÈÉÊËÎÏÔÙÛÜŒàâäçèéêëîïôöùûüœ«»°²·×‘’“”–—…€″\u00A0\u202F',
]

const letters = [...listCharacters(0x621, 0x63a), ...listCharacters(0x641, 0x64a)]

// Tatweel joins on both sides: beside it a letter takes each of its four forms.
const forms = (text: string) => [text, `${text}ـ`, `ـ${text}`, `ـ${text}ـ`]

export const usualArabic = [' ', ...'،؟', ...[...letters, 'لا', 'لأ', 'لإ', 'لآ'].flatMap(forms)]

function listCharacters(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i))
}
