import { findWarnings } from './warnings'

const good = {
  invoiceDate: '2026-01-01',
  dueDate: '2026-05-01',
  buyerName: 'B',
  buyerIce: '001512572000078',
  paymentAccount: { rib: '011519000001205000534921' },
}

it.each<[object, string[]]>([
  [{}, []],
  [{ buyerName: undefined, buyerIce: undefined }, []],
  [{ buyerIce: undefined }, ['BUYER_ICE_MISSING buyerIce']],
  [{ buyerIce: undefined, buyerCountry: 'FR' }, []],
  [{ buyerIce: undefined, dueDate: '2026-05-02', buyerType: 'CONSUMER' }, []],
  [{ buyerIce: '001512572000079', buyerType: 'CONSUMER' }, ['ICE_CHECK_KEY buyerIce']],
  [{ buyerIce: undefined, buyerType: 'BUSINESS' }, ['BUYER_ICE_MISSING buyerIce']],
  [{ buyerIce: '001512572000079' }, ['ICE_CHECK_KEY buyerIce']],
  [{ dueDate: '2026-05-02' }, ['DUE_DATE_OVER_120_DAYS dueDate']],
  [{ paymentAccount: { rib: '011519000001205000534922' } }, ['RIB_CHECK_KEY paymentAccount.rib']],
])('warns of %j', (changes, expected) => {
  const warnings = findWarnings({ ...good, ...changes })
  expect(warnings.map(({ code, field }) => `${code} ${field}`)).toEqual(expected)
})
