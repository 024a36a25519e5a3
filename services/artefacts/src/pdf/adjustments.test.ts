import { extractText } from '../testdata/extract-text'
import { sampleInvoice } from '../testdata/invoices'
import { itWith } from '../testdata/tools'

const itWithText = itWith('pdftotext')

itWithText('names allowances and charges once, with what they change', async () => {
  const share = { vatCategory: 'S', vatRate: 20, baseAmount: 10_000 }
  const item = (reason: string, amount: number, percent?: string) => ({
    reason,
    percent,
    amount: undefined,
    vatRate: undefined,
    vatCategory: undefined,
    reasonCode: undefined,
    shares: [{ ...share, amount }],
  })
  const text = await extractText(
    sampleInvoice({
      lineTotalHt: 27_202_50,
      allowanceTotal: 2_00,
      chargeTotal: 1_00,
      allowances: { items: [item('Remise fidélité', 150, '1.5'), item('Retard', 50)] },
      charges: { items: [item('Transport', 100)] },
    }),
  )
  const wanted = [
    'Remise fidélité (1,5 %) −1,50',
    'Remise : Retard −0,50',
    'Frais : Transport 1,00',
    'Remises et déductions −2,00 MAD',
  ]
  for (const words of wanted) expect(text).toContain(words)
  expect(text).not.toContain('Remise : Remise')
  // As many and as long as may be sent: all on pages, the closing after them.
  const most = Array.from({ length: 20 }, (_, i) => item(`${i} ${'mot '.repeat(60)}fin${i}.`, 1))
  const pages = (
    await extractText(sampleInvoice({ allowances: { items: most }, charges: { items: most } }))
  ).split('\f')
  for (let i = 0; i < 20; i += 1) {
    expect(pages.join('').split(`fin${i}.`)).toHaveLength(3)
  }
  expect(pages.filter((page) => page.includes('Total TTC'))).toHaveLength(1)
})

itWithText.each([
  [{ stampDutyAmount: 250 }, ['Net à payer 1 000,00', 'Net à payer en espèces 1 002,50']],
  [
    { vatWithheldAmount: 150_00, vatWithholdingPercent: 75 },
    ['Net à payer 1 000,00', 'Net à payer après retenue 850,00'],
  ],
  [
    { stampDutyAmount: 250, vatWithheldAmount: 150_00, vatWithholdingPercent: 75 },
    ['Net à payer en espèces après retenue 852,50'],
  ],
])('ends with what is left to pay: %j', async (stated, nets) => {
  const text = await extractText(sampleInvoice({ amountDue: 1_000_00, ...stated }))
  expect(text.match(/Net à payer.*\d/g)).toEqual(nets)
})

itWithText.each([
  [{ amountDue: 1_000_00 }, 'Net à créditer 1 000,00'],
  [
    { vatWithheldAmount: 150_00, vatWithholdingPercent: 75 },
    'Net à créditer après retenue 32 470,80',
  ],
])('says of a credit note what is credited: %j', async (stated, net) => {
  const text = await extractText(sampleInvoice({ type: 'CREDIT_NOTE', ...stated }))
  expect(text).toContain(net)
  expect(text).not.toContain('à payer')
})
