// Default-ignorable and U+0085, for patterns that must work without Unicode mode: to U+FFFF. The
// blanks U+2028 and U+202F, as U+202E would reverse a pattern that is shown.
export const invisibleRanges = [
  '\\x85\\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F',
  '\u2028-\u202F\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8',
].join('')

const visible = /[^\s\u0085\p{Default_Ignorable_Code_Point}]/u

/** False for a text that prints as nothing: a required one is then missing. */
export function hasVisibleText(text: string): boolean {
  return visible.test(text)
}

/** False for what counts as absent: `null`, `undefined` and a text that prints as nothing. */
export function hasValue(value: unknown): boolean {
  return (
    value !== null && value !== undefined && (typeof value !== 'string' || hasVisibleText(value))
  )
}
