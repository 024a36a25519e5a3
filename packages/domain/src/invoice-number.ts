// Two numbers that look alike would be two invoices for us and one for a person. Stored in NFC.

// As every regular expression dialect reads them: controls, format characters, default-ignorable
// ones, every blank but U+0020, non-breaking hyphen and mark, the empty Braille cell.
const rejectedRanges = [
  '\\x00-\\x1F\\x7F-\\xA0\\xAD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2',
  '\u0F0C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2011\u2028-\u202F',
  '\u205F-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB',
].join('')

// Without Unicode mode, ECMA-262 has no ranges of these.
const rejectedAboveFFFF =
  '\u{110BD}\u{110CD}\u{13430}-\u{1343F}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}'

const rejected = new RegExp(`[${rejectedRanges}${rejectedAboveFFFF}]`, 'u')

/** For JSON Schema, to U+FFFF; `illegal`: ranges of characters rejected in any text. */
export function invoiceNumberPattern(illegal: string): string {
  const inner = `[^${rejectedRanges}${illegal}]`
  const edge = `[^ ${rejectedRanges}${illegal}]`
  return `^${edge}(?:${inner}*${edge})?$`
}

/** Follows the field's name; `undefined` for a valid number. */
export function invoiceNumberError(number: string): string | undefined {
  if (number.trim() === '') return 'must not be blank'
  const [character] = rejected.exec(number) ?? []
  if (character !== undefined) {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `must not contain the character U+${code} (at position ${number.indexOf(character) + 1}), which is invisible or looks like another character`
  }
  if (/^ | $/.test(number)) return 'must not begin or end with a space'
  return undefined
}

export function normalizeInvoiceNumber(number: string): string {
  return number.normalize('NFC')
}

/** Includes the decomposed form: some were stored before numbers were normalized. */
export function invoiceNumberForms(number: string): string[] {
  return [...new Set([number, number.normalize('NFC'), number.normalize('NFD')])]
}
