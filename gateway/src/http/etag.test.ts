import { toEtag, matchesIfNoneMatch } from './etag'

it.each([
  [undefined, false],
  ['', false],
  ['*', true],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", W/"abc"', true],
  ['"x","y"', false],
  ['abc', false],
  ['"ab', false],
  ['"abcd"', false],
])('If-None-Match %s names "abc": %s', (header, named) => {
  expect(matchesIfNoneMatch(toEtag('abc'), header)).toBe(named)
})
