import fc from 'fast-check'
import { readLegalInformation, writeLegalInformation } from './legal-information'

const all = { legalForm: 'SARL', capital: '100 000 MAD', tp: '345', cnss: '678' }
const none = { legalForm: '', capital: '', tp: '', cnss: '' }

it.each([
  [all, 'SARL - Capital : 100 000 MAD - TP : 345 - CNSS : 678'],
  [{ ...all, legalForm: '' }, 'Capital : 100 000 MAD - TP : 345 - CNSS : 678'],
  [{ ...none, legalForm: 'SA' }, 'SA'],
  [{ ...none, capital: '5' }, 'Capital : 5'],
  [{ ...none, tp: '1' }, 'TP : 1'],
  [{ ...none, cnss: '2' }, 'CNSS : 2'],
  [
    { ...all, legalForm: 'Société - civile', tp: '' },
    'Société - civile - Capital : 100 000 MAD - CNSS : 678',
  ],
  [none, ''],
])('writes and reads %j', (information, text) => {
  expect(writeLegalInformation(information)).toBe(text)
  expect(readLegalInformation(text)).toEqual(information)
})

it('leaves out what is blank', () => {
  expect(writeLegalInformation({ ...all, legalForm: ' ', tp: '\t', cnss: '' })).toBe(
    'Capital : 100 000 MAD',
  )
})

it('writes the same line again from whatever it reads', () => {
  const part = fc
    .array(fc.constantFrom('TP : ', ' - ', 'Capital : ', 'CNSS : ', 'a', ' ', '-', '\n', 'é'))
    .map((parts) => parts.join(''))
  const information = fc.record({ legalForm: part, capital: part, tp: part, cnss: part })
  fc.assert(
    fc.property(information, (written) => {
      const text = writeLegalInformation(written)
      expect(writeLegalInformation(readLegalInformation(text))).toBe(text)
    }),
  )
})
