import { parseSearch } from './search'

it.each([
  ['1200', 1200, 1201],
  ['1200.6', 1200.6, 1200.7],
  ['4 500,50', 4500.5, 4500.51],
  ['4\u202f500,5', 4500.5, 4500.6],
  ['4.500,50', 4500.5, 4500.51],
  ['4,500.50', 4500.5, 4500.51],
  ['4’500.50', 4500.5, 4500.51],
  ['1,234,567', 1234567, 1234568],
  ['1.234.567,8', 1234567.8, 1234567.9],
  ['4,500.', 4500, 4501],
])('searches %j as an amount from %d', (text, from, to) => {
  expect(parseSearch(text).amount).toEqual({ from, to })
})

it.each([
  ['1.500', 1.5],
  ['1,500', 1.5],
])('reads %j, which may be a thousand, as the amount that the service writes', (text, from) => {
  expect(parseSearch(text).amount?.from).toBe(from)
})

it.each(['1,23,4', '4.50.50', '4,500,50', '31.12.2025', '1.234,567,890', '0,500.50', '4500 DH'])(
  'searches %j as text alone',
  (text) => {
    expect(parseSearch(text).amount).toBeUndefined()
  },
)
