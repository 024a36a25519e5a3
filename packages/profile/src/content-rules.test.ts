import { findContentErrors, findStructureErrors } from './content-rules'

const creditNote = {
  type: 'CREDIT_NOTE',
  precedingInvoices: [{ id: 'a' }],
  correctionReason: 'Retour',
}

const listFields = (errors: readonly { field: string }[]) => errors.map(({ field }) => field)

it.each<[string, object, string[]]>([
  ['no period', {}, []],
  ['a day', { servicePeriod: { from: '2026-01-01', to: '2026-01-01' } }, []],
  ['an open period', { servicePeriod: { to: '2026-01-01' } }, []],
  ['an empty period', { servicePeriod: { from: null } }, ['servicePeriod']],
  [
    'a period backwards',
    { servicePeriod: { from: '2026-01-02', to: '2026-01-01' } },
    ['servicePeriod.to'],
  ],
  ['a period of another type', { servicePeriod: 'x' }, []],
  ['a RIB', { paymentAccount: { rib: '011519000001205000534921' } }, []],
  ['a RIB with a wrong key', { paymentAccount: { rib: '011519000001205000534922' } }, []],
  ['an IBAN', { paymentAccount: { iban: 'MA64011519000001205000534921' } }, []],
  [
    'an IBAN with wrong check digits',
    { paymentAccount: { iban: 'MA65011519000001205000534921' } },
    ['paymentAccount.iban'],
  ],
  ['both', { paymentAccount: { rib: '1', iban: 'MA1' } }, ['paymentAccount']],
  ['neither', { paymentAccount: { name: 'A' } }, ['paymentAccount']],
  ['references', { precedingInvoices: [{ id: 'a' }, { invoiceNumber: 'b' }] }, []],
  [
    'a reference to nothing',
    { precedingInvoices: [{ invoiceDate: '2026-01-01' }] },
    ['precedingInvoices[0]'],
  ],
  [
    'a reference given twice, in another Unicode form',
    { precedingInvoices: [{ invoiceNumber: 'é' }, { invoiceNumber: 'e\u0301' }] },
    ['precedingInvoices[1]'],
  ],
])('checks the fields of structures: %s', (_, fields, expected) => {
  expect(listFields(findStructureErrors(fields as Record<string, unknown>))).toEqual(expected)
})

it.each<[string, object, string[]]>([
  ['a consumer', { buyerType: 'CONSUMER' }, []],
  ['a credit note of nothing', { type: 'CREDIT_NOTE' }, ['precedingInvoices', 'correctionReason']],
  ['a credit note', { ...creditNote, lines: [{ vatRate: 16 }] }, []],
  ['a credit note as it is stored', { ...creditNote, precedingInvoices: { items: [{}] } }, []],
  ['a reason without a credit note', { correctionReason: 'Retour' }, ['correctionReason']],
  [
    'former rates without a credit note',
    { lines: [{ vatRate: 20 }, { vatRate: 16 }], allowances: { items: [{ vatRate: 8 }] } },
    ['lines[1].vatRate', 'allowances[0].vatRate'],
  ],
  ['a currency', { currency: 'XCG' }, []],
  ['a withdrawn currency', { currency: 'BGN' }, ['currency']],
  ['one that the rules lack', { currency: 'STN' }, ['currency']],
  ['that of the original', { ...creditNote, currency: 'BGN' }, []],
  ['a currency of another type', { currency: 1 }, []],
  ['an unknown currency, reported elsewhere', { currency: 'mad' }, []],
  ['a business', { buyerType: 'BUSINESS', buyerName: 'B', buyerIce: '1' }, []],
  ['a business without both', { buyerType: 'BUSINESS' }, ['buyerName', 'buyerIce']],
  ['a business abroad', { buyerType: 'BUSINESS', buyerCountry: 'FR' }, []],
  ['an IF', { buyerIf: '123' }, []],
  ['an IF in Morocco', { buyerIf: '123', buyerCountry: 'MA' }, []],
  ['a VAT identifier', { buyerIf: 'FR123', buyerCountry: 'FR' }, []],
  ['that of Greece', { buyerIf: 'EL123', buyerCountry: 'GR' }, []],
  ['one of another country', { buyerIf: 'DE123', buyerCountry: 'FR' }, ['buyerIf']],
])('compares fields: %s', (_, fields, expected) => {
  expect(listFields(findContentErrors(fields as Record<string, unknown>))).toEqual(expected)
})

it.each(['\u200B', ' \u00AD\u2060\u0085', '\u3164'])('takes invisible %j for no text', (blank) => {
  const fields = { buyerType: 'BUSINESS', buyerName: blank, buyerIce: blank }
  const wanted = ['buyerName', 'buyerIce', 'correctionReason']
  const errors = findContentErrors({ ...creditNote, ...fields, correctionReason: blank })
  expect(listFields(errors)).toEqual(wanted)
  const period = { servicePeriod: { from: blank } }
  expect(listFields(findStructureErrors(period))).toEqual(['servicePeriod'])
})

const exempt = { vatRate: 0 }
const reverse = { vatRate: 0, vatCategory: 'AE' }
const exported = { vatRate: 0, vatCategory: 'G' }
const outside = { vatRate: 0, vatCategory: 'O' }

it.each<[string, object, string[]]>([
  ['E and S', { lines: [exempt, { vatRate: 20, vatCategory: 'S' }] }, []],
  ['S at 0 %', { lines: [{ vatRate: 0, vatCategory: 'S' }] }, ['lines[0].vatCategory']],
  ['E at 20 %', { lines: [{ vatRate: 20, vatCategory: 'E' }] }, ['lines[0].vatCategory']],
  ['AE with an ICE', { buyerIce: '1', lines: [reverse] }, []],
  ['AE with an IF', { buyerIf: '1', lines: [reverse] }, []],
  ['AE without either', { lines: [reverse] }, ['buyerIce']],
  ['G abroad', { buyerCountry: 'DE', lines: [exported, exempt] }, []],
  ['G in Morocco', { buyerCountry: 'MA', lines: [exported] }, ['buyerCountry']],
  ['G without a country', { lines: [exported] }, ['buyerCountry']],
  ['O alone', { lines: [outside, outside] }, []],
  ['O with S', { lines: [{ vatRate: 20 }, outside] }, ['lines[1].vatCategory']],
  ['O with an IF', { buyerIf: '1', lines: [outside] }, ['buyerIf']],
  ['stamp duty on cash', { stampDuty: true, paymentMethod: 'CASH' }, []],
  ['no stamp duty', { stampDuty: false, paymentMethod: 'CARD' }, []],
  [
    'stamp duty on a credit note',
    { ...creditNote, stampDuty: true, paymentMethod: 'CASH' },
    ['stampDuty'],
  ],
  ['no stamp duty on a credit note', { ...creditNote, stampDuty: false }, []],
  ['stamp duty on a card', { stampDuty: true, paymentMethod: 'CARD' }, ['stampDuty']],
])('checks the VAT categories: %s', (_, fields, expected) => {
  expect(listFields(findContentErrors(fields as Record<string, unknown>))).toEqual(expected)
})

it('bounds the allowances and charges of all lines together', () => {
  const items = Array.from({ length: 10 }, () => ({}))
  const full = Array.from({ length: 200 }, () => ({ allowances: items, charges: { items } }))
  expect(findContentErrors({ lines: full, charges: items })).toEqual([])
  const lines = [...full, { charges: [{}] }]
  const message = 'must have at most 4000 allowances and charges together; got 4001'
  expect(findContentErrors({ lines })).toEqual([{ field: 'lines', message }])
})

it('requires either an amount or a percentage, on lines too', () => {
  const wrong = [{ amount: 1, percent: 1 }, { reason: 'x' }, { amount: 1 }, { percent: 1 }]
  const fields = { allowances: wrong, lines: [{ charges: wrong }] }
  expect(listFields(findStructureErrors(fields))).toEqual([
    ...['allowances[0]', 'allowances[1]'],
    ...['lines[0].charges[0]', 'lines[0].charges[1]'],
  ])
})
