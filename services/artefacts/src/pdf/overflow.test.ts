import type { Invoice } from '@einvoicing/proto/invoice'
import { sampleInvoice, sampleIssuer, sampleLine } from '../testdata/invoices'
import { itWith, runTool } from '../testdata/tools'
import { openFaces } from '../text/fonts'
import { drawInvoice } from './draw-invoice'
import { contentBottom, page } from './theme'

const faces = openFaces()
const itWithText = itWith('pdftotext')

interface Word {
  text: string
  xMin: number
  xMax: number
  yMin: number
  yMax: number
}

const wordPattern = /<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*)<\/word>/g

async function readPages(invoice: Invoice): Promise<Word[][]> {
  const xml = runTool('pdftotext', ['-bbox', 'FILE', '-'], await drawInvoice(invoice, faces))
  return xml
    .split('<page ')
    .slice(1)
    .map((one) =>
      [...one.matchAll(wordPattern)].map(([, ...values]) => {
        const [xMin = 0, yMin = 0, xMax = 0, yMax = 0] = values.slice(0, 4).map(Number)
        return { text: values[4] ?? '', xMin, yMin, xMax, yMax }
      }),
    )
}

const join = (words: readonly Word[]) => words.map(({ text }) => text).join(' ')

/** Returns the text of all pages, without their footers. */
async function expectOnPaper(invoice: Invoice): Promise<string> {
  const pages = await readPages(invoice)
  const isFooter = ({ yMax }: Word) => yMax > contentBottom
  const texts = pages.map((words, i) => {
    for (const { xMin, xMax } of words) {
      expect(xMin).toBeGreaterThanOrEqual(0)
      expect(xMax).toBeLessThanOrEqual(page.width)
    }
    const footer = words.filter(isFooter)
    for (const { yMin, yMax } of footer) {
      expect(yMin).toBeGreaterThan(contentBottom + 12)
      expect(yMax).toBeLessThan(page.height)
    }
    expect(join(footer)).toMatch(new RegExp(` Page ${i + 1}/${pages.length}$`))
    return join(words.filter((word) => !isFooter(word)))
  })
  // A footer over which nothing is printed.
  const footers = pages.map((words) => join(words.filter(isFooter)).replace(/Page.*/, ''))
  expect(new Set(footers).size).toBe(1)
  expect(footers[0]).toContain('ICE : 001234567000089')
  return texts.join('\n')
}

const numbers = Array.from({ length: 20 }, (_, i) => `F-${i}-`.padEnd(64, '0'))
const precedingInvoices = {
  items: numbers.map((invoiceNumber) => ({ invoiceNumber, invoiceDate: '2026-04-30' })),
}

/** Distinct words, as many as fit in `length`. */
function words(name: string, length: number, separator = ' '): string {
  const count = Math.floor(length / (name.length + 3 + separator.length))
  return Array.from({ length: count }, (_, i) => name + String(i).padStart(3, '0')).join(separator)
}

const squeeze = (text: string) => text.replaceAll(/\s/g, '')

function expectAll(text: string, printed: readonly string[]): void {
  const letters = squeeze(text)
  for (const words of printed) {
    for (const word of words.split(/\s/)) expect(letters).toContain(squeeze(word))
  }
}

describe('what has no space on the first page goes on below or on the next one', () => {
  const long = {
    buyerName: words('Nom', 256),
    buyerAddress: words('Rue', 512),
    deliveryAddress: words('Lieu', 512),
    paymentTerms: words('Terme', 512),
    paymentReference: words('Payer', 140),
    buyerReference: words('Votre', 128),
  }

  itWithText.each(['CREDIT_NOTE', 'INVOICE'])(
    'the references, banner and code of a document with 20 originals: %s',
    async (type) => {
      const invoice = sampleInvoice({ type, precedingInvoices, ...long })
      const text = await expectOnPaper(invoice)
      expectAll(text, [...numbers, ...Object.values(long), invoice.dgiReference as string])
      expect(text.match(/30\/04\/2026/g)).toHaveLength(20)
    },
  )

  itWithText.each([14, 16, 18, 20])(
    'but not the banner of a document with %d short references',
    async (count) => {
      const items = Array.from({ length: count }, (_, i) => ({
        invoiceNumber: `F-2026-${i}`,
        invoiceDate: '2026-04-30',
      }))
      const text = await expectOnPaper(sampleInvoice({ precedingInvoices: { items } }))
      for (const { invoiceNumber } of items) expect(text).toContain(invoiceNumber)
      const [first] = text.split('\n')
      expect(first).toContain('Référence : DGI-2026-7F3A9C21')
    },
  )

  itWithText('texts of nothing but short lines', async () => {
    const lines = (name: string, length: number) => words(name, length, '\n')
    const mentions = { legalForm: lines('Forme', 256), address: lines('Siège', 256) }
    const buyer = { buyerName: lines('N', 256), buyerAddress: lines('R', 512) }
    const text = await expectOnPaper(
      sampleInvoice({
        ...buyer,
        deliveryAddress: lines('L', 512),
        issuer: { ...sampleIssuer, ...mentions, name: lines('É', 256) },
      }),
    )
    expectAll(text, Object.values(buyer))
  })
})

describe('the closing', () => {
  itWithText.each([
    ['of many lines', words('N', 1_024, '\n')],
    ['of lines and empty lines', words('N', 1_024, '\n\n')],
  ])('goes on over pages with a note %s', async (_name, note) => {
    const text = await expectOnPaper(
      sampleInvoice({ note, correctionReason: words('M', 512, '\n') }),
    )
    expectAll(text, [note.replaceAll(/\n+/g, ' '), 'Cachet et signature', 'TTC', 'RIB'])
  })

  itWithText('goes on with reasons of exemption of many lines', async () => {
    const categories = ['E', 'G', 'O', 'AE'] as const
    const lines = categories.map((vatCategory, i) =>
      sampleLine(
        {
          description: 'Exonéré',
          vatRate: 0,
          vatCategory,
          vatExemptionReason: words('JKLM'.charAt(i), 256, '\n'),
        },
        i + 1,
      ),
    )
    const vatSubtotals = categories.map((vatCategory) => ({
      vatCategory,
      vatRate: 0,
      taxableAmount: 10_000,
      vatAmount: 0,
    }))
    const text = await expectOnPaper(sampleInvoice({ lines, vatSubtotals }))
    for (const { vatExemptionReason } of lines) {
      // On the line, and in the table of VAT.
      const [, second = ''] = vatExemptionReason?.split('\n') ?? []
      expect(text.split(second)).toHaveLength(3)
    }
  })
})

itWithText('reasons of allowances go on over pages', async () => {
  const share = { vatCategory: 'S', vatRate: 20, baseAmount: 10_000, amount: 1 }
  const reason = 'Ж\n'.repeat(128)
  const allowance = {
    percent: undefined,
    amount: undefined,
    vatRate: undefined,
    vatCategory: undefined,
    reason,
    reasonCode: undefined,
    shares: [share],
  }
  const items = Array.from({ length: 3 }, () => allowance)
  const text = await expectOnPaper(sampleInvoice({ allowances: { items } }))
  expect(text.split('Ж')).toHaveLength(3 * 128 + 1)
})

describe('line ends in the lines of an invoice', () => {
  const drawLines = (count: number, description: string) => {
    const lines = Array.from({ length: count }, (_, i) => sampleLine({ description }, i + 1))
    return drawInvoice(sampleInvoice({ lines }), faces)
  }
  const countPages = (pdf: Buffer) =>
    Number(/^Pages: +(\d+)$/m.exec(runTool('pdfinfo', ['FILE'], pdf))?.[1])

  itWithText('in a row take one empty line', async () => {
    const pdf = await drawLines(40, `Début${'\n'.repeat(500)}Fin`)
    const text = runTool('pdftotext', ['-raw', 'FILE', '-'], pdf)
    expect(text.split('Début')).toHaveLength(41)
    expect(text.split('Fin')).toHaveLength(41)
    // Of three lines each, and the totals.
    expect(countPages(pdf)).toBeLessThanOrEqual(5)
  })

  itWithText('are printed up to 10,000 for all lines; what is left flows', async () => {
    const description = 'Ж\n'.repeat(255)
    const text = runTool('pdftotext', ['-raw', 'FILE', '-'], await drawLines(2, description))
    expect(text.match(/^Ж$/gm)).toHaveLength(2 * 255)
    // 100 lines each and what flows, instead of 255.
    expect(countPages(await drawLines(100, description))).toBeLessThanOrEqual((100 * 110) / 50)
  })
})
