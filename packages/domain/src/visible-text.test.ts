import { hasVisibleText } from './visible-text'

it('sees all characters but blanks and what Unicode calls default-ignorable', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    const isInvisible = /[\s\u0085\p{Default_Ignorable_Code_Point}]/u.test(character)
    if (hasVisibleText(character) === isInvisible) wrong.push(`U+${code.toString(16)}`)
  }
  expect(wrong).toEqual([])
})

it.each([
  ['', false],
  [' \u200B\u00AD\u2060\u0085\n', false],
  ['\u200Ba', true],
  ['م\u200D', true],
])('reads the whole text: %j', (text, expected) => {
  expect(hasVisibleText(text)).toBe(expected)
})
