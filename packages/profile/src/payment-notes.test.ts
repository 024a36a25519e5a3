import { readPaymentNotes, writePaymentNotes } from './payment-notes'

const amounts = { currency: 'MAD', amountTtc: 120_000 }
const duty = { stampDutyAmount: 300 }
const withheld = { vatWithheldAmount: 15_000, vatWithholdingPercent: 75 }

const dutyNote = 'Droit de timbre (0,25 %) : 3.00 MAD - Net à payer en espèces : 1203.00 MAD'
const withheldNote =
  'TVA retenue à la source (75 %) : 150.00 MAD - Net à payer après retenue : 1050.00 MAD'
const bothNotes = [
  'Droit de timbre (0,25 %) : 3.00 MAD',
  'TVA retenue à la source (75 %) : 150.00 MAD - Net à payer en espèces après retenue : 1053.00 MAD',
]

test.each([
  ['nothing', {}, []],
  ['stamp duty', duty, [dutyNote]],
  ['withheld VAT', withheld, [withheldNote]],
  ['both, with one net', { ...duty, ...withheld }, bothNotes],
])('writes %s', (_, stated, notes) => {
  expect(writePaymentNotes({ ...amounts, ...stated })).toEqual(notes)
})

test('the net is of what was not paid before', () => {
  const notes = writePaymentNotes({ ...amounts, amountDue: 100_000, ...duty, ...withheld })
  expect(notes.at(-1)).toContain('après retenue : 853.00 MAD')
})

const read = (...notes: string[]) =>
  readPaymentNotes(notes, ({ stampDuty, vatWithholdingPercent }) => ({
    ...amounts,
    ...(stampDuty && duty),
    ...(vatWithholdingPercent && {
      vatWithholdingPercent,
      vatWithheldAmount: 200 * vatWithholdingPercent,
    }),
  }))
const stampDuty = true
const vatWithholdingPercent = 75

test.each([
  ['nothing', [], {}],
  ['stamp duty', [dutyNote], { stampDuty }],
  ['withheld VAT', [withheldNote], { vatWithholdingPercent }],
  ['both', bothNotes, { stampDuty, vatWithholdingPercent }],
  ['both, with two nets as before', [dutyNote, withheldNote], { stampDuty, vatWithholdingPercent }],
])('reads %s', (_, notes, stated) => {
  expect(read('Merci', ...notes)).toEqual({ ...stated, others: ['Merci'] })
})

const creditNote = { ...amounts, type: 'CREDIT_NOTE', ...withheld }
const creditedNote = withheldNote.replace('à payer', 'à créditer')

test('a credit note states what is credited', () => {
  expect(writePaymentNotes(creditNote)).toEqual([creditedNote])
})

test.each([
  ['today', creditedNote],
  ['before', withheldNote],
])('reads the note of a credit note as it is written %s', (_, note) => {
  const found = readPaymentNotes(['Merci', note], (stated) => ({
    ...creditNote,
    ...(stated.stampDuty && duty),
    ...(stated.vatWithholdingPercent !== 75 && { vatWithheldAmount: undefined }),
  }))
  expect(found).toEqual({ vatWithholdingPercent, others: ['Merci'] })
})

test('the wording of credit notes is no note of ours in an invoice', () => {
  expect(read(creditedNote)).toEqual({ others: [creditedNote] })
})

const otherDuty = dutyNote.replace('3.00', '4.00')
const otherWithheld = withheldNote.replace('75', '100')

test.each([
  ['like stamp duty', [otherDuty], {}],
  ['like withheld VAT', [otherWithheld], {}],
  ['like stamp duty, with withheld VAT', [otherDuty, withheldNote], { vatWithholdingPercent }],
  ['like withheld VAT, with stamp duty', [withheldNote, dutyNote], { stampDuty }],
  ['like stamp duty, with both', [dutyNote, ...bothNotes], { stampDuty, vatWithholdingPercent }],
])('leaves the note of a client %s', (_, notes, stated) => {
  expect(read(...notes)).toEqual({ ...stated, others: [notes[0]] })
})
