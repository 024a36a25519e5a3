import { isUtf8MediaType } from './media-type'

it.each([
  ['application/xml', true],
  ['Application/XML', true],
  [' application/xml ; charset=utf-8', true],
  ['application/xml; charset="UTF-8"', true],
  ['application/xml;charset=utf8; version=1', true],
  ['application/xml; charset=iso-8859-1', false],
  ['application/xml; charset', false],
  ['application/json', false],
  ['text/xml', false],
  ['', false],
])('%j is XML in UTF-8: %s', (contentType, expected) => {
  expect(isUtf8MediaType(contentType, 'application/xml')).toBe(expected)
})
