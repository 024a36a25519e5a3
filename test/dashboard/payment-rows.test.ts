const { listPaymentRows } = jest.requireActual('../../dashboard/src/invoices/payment-rows')
const { fr } = jest.requireActual('../../dashboard/src/i18n/fr')

const totals = {
  amountTtc: 120_000n,
  amountDue: 100_000n,
  stampDutyAmount: 0n,
  vatWithheldAmount: 0n,
  isPaid: true,
}
const duty = { stampDutyAmount: 250n }
const withheld = { vatWithheldAmount: 15_000n }

test.each([
  [{}, ['Net à payer 100000']],
  [duty, ['Net à payer 100000', 'Net à payer en espèces 100250']],
  [withheld, ['Net à payer 100000', 'Net à payer après retenue 85000']],
  [{ ...duty, ...withheld }, ['Net à payer en espèces après retenue 85250']],
])('ends with what is left to pay: %p', (stated, nets) => {
  const rows: { label: string; amount: bigint }[] = listPaymentRows({ ...totals, ...stated }, fr)
  const written = rows.map(({ label, amount }) => `${label} ${amount}`)
  expect(written[0]).toBe('Déjà réglé -20000')
  expect(written.filter((each) => each.startsWith('Net'))).toEqual(nets)
  expect(written.at(-1)).toBe(nets.at(-1))
})

test.each([
  [{}, ['Net à créditer 100000']],
  [withheld, ['Net à créditer 100000', 'Net à créditer après retenue 85000']],
])('says of a credit note what is credited: %p', (stated, nets) => {
  const rows: { label: string; amount: bigint }[] = listPaymentRows(
    { ...totals, ...stated, isPaid: false },
    fr,
  )
  const written = rows.map(({ label, amount }) => `${label} ${amount}`)
  expect(written.filter((each) => each.startsWith('Net'))).toEqual(nets)
})

test('has no rows for what is paid as it is', () => {
  expect(listPaymentRows({ ...totals, amountDue: totals.amountTtc }, fr)).toEqual([])
})
