import {
  calendarDate,
  digits,
  filledFormattedText,
  filledText,
  flag,
  formattedText,
  formatValue,
  oneOf,
  text,
} from './rules'

const form = { pattern: 'x', message: 'must be x' }

it.each([
  ...[text(3), filledText(3), formattedText(form, 3), filledFormattedText(form, 3)],
  ...[oneOf(['A']), flag, digits(3, '123'), calendarDate],
])('says of a missing value that it is required (rule %#)', (rule) => {
  expect([rule(undefined), rule(null)]).toEqual(['is required', 'is required'])
})

it('writes every value in a message', () => {
  expect([undefined, null, true, 'a', 1.5].map(formatValue)).toEqual([
    ...['nothing', 'null', 'true', '"a"', '1.5'],
  ])
})
