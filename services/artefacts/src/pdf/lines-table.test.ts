import { extractText } from '../testdata/extract-text'
import { sampleInvoice, sampleLine } from '../testdata/invoices'
import { itWith } from '../testdata/tools'

const itWithText = itWith('pdftotext')

itWithText('says of each line which category of the rate 0 it has', async () => {
  const lines = [
    sampleLine({ description: 'Formation', vatRate: 0 }),
    sampleLine({ description: 'Sous-traitance', vatRate: 0, vatCategory: 'AE' }),
  ]
  const text = await extractText({
    ...sampleInvoice({ lines }),
    vatSubtotals: [
      { vatRate: 0, taxableAmount: 10_000, vatAmount: 0 },
      { vatRate: 0, vatCategory: 'AE', taxableAmount: 10_000, vatAmount: 0 },
    ],
  })
  expect(text).toMatch(/Sous-traitance.*0 % \(AE\)/)
  expect(text).toMatch(/Formation.*0 ?% +100,00/)
})

itWithText('keeps the amount of a line allowance behind a reason in Arabic', async () => {
  const share = { vatRate: 20, vatCategory: 'S', baseAmount: 10_000, amount: 1_000 }
  const allowances = { items: [{ amount: '10', reason: 'خصم كمية', shares: [share] }] }
  const text = await extractText(
    sampleInvoice({ lines: [sampleLine({ description: 'Câble', vatRate: 20, allowances })] }),
  )
  expect(text).toMatch(/: −10,00 MAD/)
})
