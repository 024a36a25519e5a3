import fc from 'fast-check'
import { readLineNote, writeLineNote } from './line-note'

it.each([
  [undefined, undefined, undefined],
  ['ml', undefined, 'ml'],
  [undefined, 'fragile', 'Note : fragile'],
  ['ml', 'a\n - b', 'Unité : ml - Note : a\n - b'],
])('writes and reads the unit %j and the note %j', (unit, note, text) => {
  expect(writeLineNote(unit, note)).toBe(text)
  expect(readLineNote(text)).toEqual({ unit, note })
})

it('writes the same note again from whatever it reads', () => {
  const text = fc
    .array(fc.constantFrom('Unité : ', 'Note : ', ' - ', 'a', '\n', ' '), { minLength: 1 })
    .map((parts) => `x${parts.join('')}`)
  fc.assert(
    fc.property(text, fc.option(text, { nil: undefined }), (unit, note) => {
      const written = writeLineNote(unit, note)
      const read = readLineNote(written)
      expect(writeLineNote(read.unit, read.note)).toBe(written)
    }),
  )
})
