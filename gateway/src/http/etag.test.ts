import { matchesIfMatch, matchesIfNoneMatch, toEtag } from './etag'

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
  // As Apache and Caddy change the tag of an answer that they compress.
  ['"abc-gzip"', true],
  ['"x", W/"abc-br"', true],
  ['"abc-x"', false],
  ['"x-gzip"', false],
])('If-None-Match %s names "abc": %s', (header, named) => {
  expect(matchesIfNoneMatch(toEtag('abc'), header)).toBe(named)
})

it.each([
  [undefined, true],
  ['*', true],
  ['"abc"', true],
  ['"x", "abc"', true],
  ['"abcd"', false],
  ['"x"', false],
  // As nginx changes it.
  ['W/"abc"', true],
  ['"abc-gzip"', true],
  ['"abc-br"', true],
  ['W/"abc-zstd"', true],
  ['"abc-x"', false],
  ['W/"x"', false],
  ['"x-gzip"', false],
  ['"-gzip"', false],
])('If-Match %s names the version "abc": %s', (header, named) => {
  expect(matchesIfMatch(toEtag('abc'), header)).toBe(named)
})

it.each(['', 'abc', '"ab', '"abc" "x"', 'w/"abc"'])('If-Match %j is no list of tags', (header) => {
  expect(() => matchesIfMatch(toEtag('abc'), header)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  )
})
