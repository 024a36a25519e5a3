import type { Invoice } from '@einvoicing/proto/invoice'
import { extractText } from '../testdata/extract-text'
import { sampleInvoice } from '../testdata/invoices'
import { itWith } from '../testdata/tools'

const itWithText = itWith('pdftotext')
const paymentTerms = '30 jours fin de mois'

itWithText.each<[string, Partial<Invoice>, number]>([
  ['nothing', { dueDate: undefined }, 2],
  ['terms', { dueDate: undefined, paymentTerms }, 0],
  ['a due date', {}, 0],
  ['both', { paymentTerms }, 0],
])('only without due date and terms it says so, as the XML does: %s', async (_, stated, count) => {
  const text = (await extractText(sampleInvoice(stated))).replace(/\s+/g, ' ')
  expect(text.split("Aucune date d'échéance indiquée")).toHaveLength(count + 1)
  expect(text.includes('Date d’échéance')).toBe(count > 0 || !('dueDate' in stated))
  if (stated.paymentTerms) expect(text).toContain(paymentTerms)
})
