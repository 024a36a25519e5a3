import { readRetryAfter } from './retry-after'

const now = new Date('2026-03-04T05:06:07.000Z')
const maxMs = 900_000

it.each([
  ['0', 0],
  ['1', 1_000],
  [' 120 ', 120_000],
  ['899', 899_000],
  ['900', maxMs],
  ['901', maxMs],
  ['999999999', maxMs],
  ['Wed, 04 Mar 2026 05:06:37 GMT', 30_000],
  ['Wednesday, 04-Mar-26 05:06:37 GMT', 30_000],
  ['Wed Mar  4 05:06:37 2026', 30_000],
  ['Wed, 04 Mar 2026 05:06:06 GMT', 0],
  ['Wed, 04 Mar 2099 05:06:06 GMT', maxMs],
])('reads %j', (text, expected) => {
  expect(readRetryAfter(text, now)).toBe(expected)
})

it.each([
  undefined,
  '',
  '-1',
  '1.5',
  'soon',
  '2026-03-04T05:06:37Z',
  '9999999999',
  'Wed, nonsense',
])('makes nothing of %j', (text) => {
  expect(readRetryAfter(text, now)).toBeUndefined()
})
