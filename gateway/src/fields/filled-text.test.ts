import { filledText } from './rules'

const rule = filledText(10)

// Its pattern must work without Unicode mode, in which characters beyond U+FFFF have no ranges.
it('documents by its pattern what it accepts', () => {
  const pattern = new RegExp(String(rule.schema['pattern']))
  const wrong: string[] = []
  for (let code = 0; code <= 0xffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const text = ` ${String.fromCodePoint(code)}`
    if (pattern.test(text) !== (rule(text) === undefined)) wrong.push(`U+${code.toString(16)}`)
  }
  expect(wrong).toEqual([])
})

it.each(['\u200B', '\u00AD \u2060', '\u0085', '\u{E0020}'])('is blank as %j', (text) => {
  expect(rule(text)).toBe('must not be blank')
  expect(rule(`${text}a`)).toBeUndefined()
})
