import { hasVisibleText, invisibleRanges } from './visible-text'

it('lists what Unicode calls default-ignorable, for patterns without Unicode mode', () => {
  const invisible = new RegExp(`[\\s${invisibleRanges}]`)
  const wrong: string[] = []
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code)
    if (hasVisibleText(character) === invisible.test(character))
      wrong.push(`U+${code.toString(16)}`)
  }
  expect(wrong).toEqual([])
})

it.each([
  ['', false],
  [' \u200B\u00AD\u2060\u0085\n', false],
  ['\u200Ba', true],
  ['م\u200D', true],
  ['\u{E0020}', false],
])('reads the whole text: %j', (text, expected) => {
  expect(hasVisibleText(text)).toBe(expected)
})
