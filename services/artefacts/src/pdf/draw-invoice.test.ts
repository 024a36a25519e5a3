import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { PaymentMethod, type Invoice } from '@einvoicing/proto/invoice'
import { extractText } from '../testdata/extract-text'
import { awaitingInvoice, sampleInvoice, sampleIssuer, sampleLine } from '../testdata/invoices'
import { itWith, runTool } from '../testdata/tools'
import { openFaces } from '../text/fonts'
import { drawInvoice, type PrintOptions } from './draw-invoice'

const faces = openFaces()
const draw = (invoice: Invoice, options?: PrintOptions) => drawInvoice(invoice, faces, options)
const itWithText = itWith('pdftotext')

/** Without blanks: of a text that is turned, each letter comes on a line of its own. */
async function extractLetters(invoice: Invoice, options?: PrintOptions): Promise<string> {
  const text = runTool('pdftotext', ['-raw', 'FILE', '-'], await draw(invoice, options))
  return text.replaceAll(/[^\S\f]+/g, '')
}

function manyLines(count: number): Invoice {
  const lines = Array.from({ length: count }, (_, i) => {
    return sampleLine({ description: `Article numéro ${i + 1}`, unitPrice: '12.5' }, i + 1)
  })
  return sampleInvoice({ lines })
}

describe('the same invoice', () => {
  it('gives the same bytes, whatever was drawn in between', async () => {
    const first = await draw(sampleInvoice())
    // Shares glyphs with the first under other characters: µ and μ, the two spaces that do not
    // break.
    await draw(sampleInvoice({ buyerName: 'شرکة μ Ω\u00A0\u202F Å', buyerAddress: 'ی ي ى' }))
    expect((await draw(sampleInvoice())).equals(first)).toBe(true)
    expect((await drawInvoice(sampleInvoice(), openFaces())).equals(first)).toBe(true)
  })

  it('gives other bytes once anything on it differs', async () => {
    const first = await draw(sampleInvoice())
    expect((await draw(sampleInvoice({ dgiReference: 'DGI-2' }))).equals(first)).toBe(false)
  })
})

describe('what is printed', () => {
  itWithText('is all that an accountant looks for', async () => {
    const text = await extractText(sampleInvoice())
    const wanted = [
      ...['FACTURE', 'N° F-2026-000123', '03/05/2026', '02/06/2026', 'Virement bancaire', 'MAD'],
      ...[
        'Maghreb Informatique & Services',
        'SARL au capital de 500 000 DH',
        '14, rue Ibn Batouta',
      ],
      ...['20060 Casablanca', '001234567000089', '40123456', '345678', '35987654', '7654321'],
      ...['+212 5 22 00 11 22', 'comptabilite@maghreb-informatique.example'],
      ...['Société Atlas Distribution SARL', '27, avenue Mohammed V', 'ICE : 002345678000076'],
      ...['1 Ordinateur portable 14″, 16 Go 3 pièce 8 450,50 20 % 25 351,50'],
      ...['2 Installation et paramétrage sur site 2,5 heure 600,00 20 % 1 500,00'],
      ...['3 Transport 1 350,00 14 % 350,00'],
      ...['20 % 26 851,50 5 370,30', '14 % 350,00 49,00'],
      ...['Total HT 27 201,50 MAD', 'Total TVA 5 419,30 MAD', 'Total TTC 32 620,80 MAD'],
      ...['Arrêtée la présente facture à la somme de trente-deux mille six cent vingt dirhams'],
      ...['Règlement : Virement bancaire, au plus tard le 02/06/2026.'],
      ...['RIB : 011 780 0000123456789012 34', 'Page 1/1'],
    ]
    for (const words of wanted) expect(text).toContain(words)
  })

  itWithText('leaves out what is not given', async () => {
    const issuer = {
      ...sampleIssuer,
      legalForm: '',
      capital: '',
      cnss: '',
      rib: '',
      phone: '',
      email: '',
    }
    const consumer = {
      buyerIce: undefined,
      buyerName: undefined,
      buyerAddress: undefined,
      dueDate: undefined,
    }
    const text = await extractText(
      sampleInvoice({ issuer, ...consumer, paymentMethod: PaymentMethod.CASH }),
    )
    expect(text).toContain('Consommateur final')
    expect(text).toContain("Règlement : Espèces. Aucune date d'échéance indiquée.")
    expect(text).not.toMatch(/CNSS|RIB|capital|Tél|ICE : 002|undefined|null|NaN/)
  })

  itWithText('names why no VAT is due', async () => {
    const exempt = (reason?: string) =>
      sampleLine({ description: 'Export', vatRate: 0, vatExemptionReason: reason })
    expect(await extractText(sampleInvoice({ lines: [exempt()] }))).toContain(
      '0 % : Exonération de TVA (article 91, 92 ou 94 du CGI)',
    )
    const text = await extractText(
      sampleInvoice({ lines: [exempt('Article 92 du CGI'), exempt('Article 91')] }),
    )
    expect(text).toContain('Article 92 du CGI')
    expect(text).toContain('0 % : motifs indiqués sur les lignes')
    // Where the table refers to the lines, none of them may be silent.
    const mixed = await extractText(
      sampleInvoice({ lines: [exempt('Article 92 du CGI'), exempt()] }),
    )
    const exported = (vatExemptionReason?: string) =>
      sampleLine({ description: 'Pose', vatRate: 0, vatCategory: 'G', vatExemptionReason })
    const both = await extractText({
      ...sampleInvoice({ lines: [exported('Article 92-I-2°'), exported(), exempt()] }),
      vatSubtotals: [
        { vatRate: 0, vatCategory: 'G', taxableAmount: 20_000, vatAmount: 0 },
        { vatRate: 0, taxableAmount: 10_000, vatAmount: 0 },
      ],
    })
    expect(both).toContain('0 % (G) : motifs indiqués sur les lignes')
    expect(both).toContain('0 % : Exonération de TVA (article 91, 92 ou 94 du CGI)')
    const defaults = both.match(/Exportation, exonérée de TVA \(art. 92-I-1° du CGI\)/g)
    expect(defaults).toHaveLength(1)
    expect(both.match(/article 91, 92 ou 94/g)).toHaveLength(1)
    expect(mixed).toContain('0 % : motifs indiqués sur les lignes')
    expect(mixed).toContain('Exonération de TVA (article 91, 92 ou 94 du CGI)')
  })

  itWithText('has a place for the stamp, unless rejected', async () => {
    expect(await extractText(sampleInvoice())).toContain('Cachet et signature')
    expect(await extractText(awaitingInvoice({ status: 'REJECTED' }))).not.toContain('Cachet')
  })

  itWithText('states duty and withheld VAT with the comma of its language', async () => {
    const text = await extractText(
      sampleInvoice({
        stampDutyAmount: 84,
        vatWithheldAmount: 541_930,
        amountAfterWithholding: 2_720_150,
        vatWithholdingPercent: 75,
      }),
    )
    expect(text).toContain('Droit de timbre (0,25 %) 0,84 MAD')
    expect(text).toContain('TVA retenue à la source (75 %) −5 419,30 MAD')
    expect(text).toContain('Net à payer en espèces après retenue 27 202,34 MAD')
    expect(text.match(/Net à payer/g)).toHaveLength(1)
    expect(text).not.toMatch(/\d\.\d/)
  })

  itWithText('can be copied out, whichever glyphs it needs', async () => {
    const buyerName = 'Łódź µ μ Ω ⵜⴰⵎⴰⵣⵉⵖⵜ Ünal'
    expect(await extractText(sampleInvoice({ buyerName }))).toContain(buyerName)
  })

  itWithText.each([
    ['JPY', '10 000 000', 'dix millions de yens TTC'],
    ['TND', '10 000 000,000', 'dix millions de dinars tunisiens TTC'],
    ['EUR', '10 000 000,00', 'dix millions d’euros TTC'],
  ])('has the digits and the words of %s', async (currency, digits, words) => {
    const lines = [sampleLine({ description: 'Lot', unitPrice: '10000000', vatRate: 0 })]
    const text = (await extractText(sampleInvoice({ currency, lines }))).replaceAll('\n', ' ')
    expect(text).toContain(`Total TTC ${digits} ${currency}`)
    expect(text).toContain(words)
  })
})

describe('another kind of document', () => {
  const first = { invoiceNumber: 'F-2026-000122', invoiceDate: '2026-04-30' }
  const second = { invoiceNumber: 'F-2025-000009', invoiceDate: '2025-12-31' }
  const precedingInvoices = { items: [first, second] }

  itWithText(
    'is a credit note, with its original, its reason and no claim of payment',
    async () => {
      const note = { type: 'CREDIT_NOTE', precedingInvoices, correctionReason: 'Retour' }
      const text = await extractText(sampleInvoice(note))
      const wanted = [
        ...['AVOIR', 'Avoir N° F-2026-000123', 'Avoir validé par la DGI', 'Validé le 03/05/2026'],
        ...['Sur facture N° F-2026-000122', 'du 30/04/2026', 'F-2025-000009', 'du 31/12/2025'],
        ...[
          'Motif de l’avoir : Retour',
          'Arrêté le présent avoir à la somme de',
          'vérifier cet avoir',
        ],
      ]
      for (const words of wanted) expect(text).toContain(words)
      expect(text).not.toMatch(/FACTURE|échéance|RIB|Règlement :/)
    },
  )

  itWithText('is a deposit, to be paid', async () => {
    const deposit = await extractText(sampleInvoice({ type: 'PREPAYMENT_INVOICE' }))
    expect(deposit.replace(/\s+/g, ' ')).toMatch(/FACTURE .*D’ACOMPTE/)
    expect(deposit).toContain('Facture d’acompte N° F-2026-000123')
    expect(deposit).toContain('RIB : 011')
    const final = await extractText(sampleInvoice({ precedingInvoices: { items: [first] } }))
    expect(final).toContain('Facture précédente N° F-2026-000122')
  })
})

describe('the status', () => {
  itWithText('is the reference once accepted', async () => {
    const text = await extractText(sampleInvoice())
    expect(text).toContain('Facture validée par la DGI')
    expect(text).toContain('Référence : DGI-2026-7F3A9C21')
    expect(text).toContain('Validée le 03/05/2026 à 15:32 (heure du Maroc)')
  })

  itWithText.each(['SIGNED', 'TRANSMITTED'] as const)(
    'awaits validation while %s',
    async (status) => {
      const text = await extractText(awaitingInvoice({ status }))
      expect(text).toContain('En attente de validation par la DGI')
      expect(text).not.toContain('Référence :')
    },
  )

  itWithText.each([
    ['REJECTED', 'Facture rejetée par la DGI'],
    ['FAILED', 'Échec de la transmission à la DGI'],
  ] as const)('says why when %s', async (status, title) => {
    const text = await extractText(
      awaitingInvoice({
        status,
        dgiErrorCode: 'BAD_ICE',
        dgiErrorMessage: 'ICE <inconnu> & radié',
      }),
    )
    for (const words of [title, 'Code : BAD_ICE', 'Motif : ICE <inconnu> & radié']) {
      expect(text).toContain(words)
    }
  })

  itWithText('gives the reason in French where the simulator gives two languages', async () => {
    const message = 'L’ICE est inconnu / The ICE is unknown (line 2).'
    const rejected = awaitingInvoice({ status: 'REJECTED', dgiErrorMessage: message })
    const inTest = await extractText(rejected, { environment: 'test' })
    expect(inTest).toContain('Motif : L’ICE est inconnu.')
    expect(inTest).not.toContain('The ICE')
    // Any other platform may write a slash for another reason.
    expect(await extractText(rejected)).toContain(`Motif : ${message}`)
  })

  itWithText('stands across a rejected invoice', async () => {
    expect(await extractLetters(awaitingInvoice({ status: 'REJECTED' }))).toContain('REJETÉE')
    expect(await extractLetters(sampleInvoice())).not.toContain('REJETÉE')
  })

  itWithText('marks every page of a draft, which has no legal value', async () => {
    const { lines } = manyLines(80)
    const draft = awaitingInvoice({ status: 'PENDING', signedAt: undefined, lines })
    expect(await extractText(draft)).toContain('Aperçu d’un brouillon, non signé')
    const pages = (await extractLetters(draft)).split('\f').filter(Boolean)
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) expect(page).toContain('BROUILLON–SANSVALEUR')
    expect(await extractLetters(awaitingInvoice())).not.toContain('BROUILLON')
  })

  it.each(['CANCELLED', 'INVOICE_STATUS_UNSPECIFIED'] as const)(
    'does not allow a PDF when %s',
    async (status) => {
      await expect(draw(awaitingInvoice({ status }))).rejects.toThrow(/has no PDF/)
    },
  )

  itWith('zbarimg').each([
    ['short', 'http://127.0.0.1:8090/v/2rs-AbCdEfGhIjKl'],
    [
      'of the version before',
      `https://verification.example.ma/verify?p=${'eyJyIjoiREdJ'.repeat(22)}`,
    ],
  ])('shows a code that a scanner reads from a scan of 100 dpi: %s', async (_name, dgiQrCode) => {
    const page = execFileSync('pdftoppm', ['-r', '100', '-png', '-'], {
      input: await draw(sampleInvoice({ dgiQrCode }), { environment: 'test' }),
    })
    const read = runTool('zbarimg', ['--quiet', '--raw', 'FILE'], page)
    expect(read.trim()).toBe(dgiQrCode)
  })
})

describe('a test', () => {
  const specimen = 'SPÉCIMEN–ENVIRONNEMENTDETEST'

  itWithText.each([
    ['accepted', sampleInvoice()],
    ['waiting', awaitingInvoice()],
    ['rejected', awaitingInvoice({ status: 'REJECTED' })],
    ['long', manyLines(80)],
  ])('is marked on every page, and names no administration: %s', async (_name, invoice) => {
    const pages = (await extractLetters(invoice, { environment: 'test' })).split('\f').slice(0, -1)
    for (const page of pages) expect(page).toContain(specimen)
    expect(pages[0]).toContain('aucunevaleurlégale')
    expect(pages[0]).not.toMatch(/parlaDGI|administrationfiscale/)
  })

  itWithText('is marked by the reference of the simulator alone', async () => {
    const fromSimulator = sampleInvoice({ dgiReference: 'SIM-2026-0000000001' })
    expect(await extractLetters(fromSimulator)).toContain(specimen)
  })

  itWithText('is nothing that the official platform accepted', async () => {
    const text = await extractLetters(sampleInvoice(), { environment: 'live' })
    expect(text).not.toMatch(/SPÉCIMEN|TEST|simulateur/)
  })
})

describe('many lines', () => {
  itWithText('carry the sum from page to page, and number each page', async () => {
    const pages = (await extractText(manyLines(120))).split('\f').slice(0, -1)
    const carried = pages.map((page) => /À reporter ([\d ]+,\d\d)/.exec(page)?.[1])
    const reported = pages.map((page) => /Report ([\d ]+,\d\d)/.exec(page)?.[1])
    const withLines = pages.filter((page) => page.includes('Article numéro'))
    expect(reported[0]).toBeUndefined()
    expect(reported.slice(1, withLines.length)).toEqual(carried.slice(0, withLines.length - 1))
    let sum = 0
    withLines.slice(0, -1).forEach((page, i) => {
      sum += 12.5 * (page.match(/Article numéro/g) ?? []).length
      expect(carried[i]?.replace(' ', '')).toBe(sum.toFixed(2).replace('.', ','))
    })
    for (const page of pages.slice(1)) expect(page.split('\n')[0]).toContain('F-2026-000123')
  })

  itWithText('go on over pages, each with the titles of the table and its number', async () => {
    const pages = (await extractText(manyLines(120))).split('\f').slice(0, -1)
    expect(pages.length).toBeGreaterThan(2)
    pages.forEach((page, i) => {
      expect(page).toContain(`Page ${i + 1}/${pages.length}`)
      expect(page).toContain('ICE : 001234567000089 · IF : 40123456')
      if (page.includes('Article'))
        expect(page).toMatch(/N° Désignation Qté Unité PU HT TVA Montant HT/)
    })
    const all = pages.join('\n')
    for (let i = 1; i <= 120; i += 1) expect(all).toContain(`${i} Article numéro ${i} `)
  })

  itWithText.each([13, 14, 15, 16, 17, 18, 19, 20])(
    'keep the totals together, with %d lines',
    async (count) => {
      const pages = (await extractText(manyLines(count))).split('\f')
      const closing = pages.filter((page) => /Total TTC|Arrêtée|RIB/.test(page))
      expect(closing).toHaveLength(1)
    },
  )

  it('are drawn up to the 2,000 that an invoice may have', async () => {
    const began = performance.now()
    await draw(manyLines(2_000))
    expect(performance.now() - began).toBeLessThan(15_000)
  })
})

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'aé\n\t(شر)\u202E中', '😀', '\u0301'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 256,
})

it('draws every valid request into a valid file', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (buyerName, description, unit) => {
      const line = sampleLine({
        description,
        unit: unit.slice(0, 32),
        quantity: '999999999999.0123456789',
        unitPrice: '1',
      })
      const pdf = await draw(
        sampleInvoice({
          buyerName,
          buyerAddress: description,
          invoiceNumber: unit.slice(0, 64) || 'x',
          lines: [line],
        }),
      )
      expect(pdf.subarray(-6).toString()).toBe('%%EOF\n')
    }),
    { numRuns: 60 },
  )
})

itWith('qpdf').each([
  ['accepted', sampleInvoice()],
  ['awaiting', awaitingInvoice()],
  ['long', manyLines(300)],
  ['in Arabic', sampleInvoice({ buyerName: 'شركة النور (المغرب)', invoiceNumber: 'F<&>(\\)é' })],
])('is a sound file: %s', async (_name, invoice) => {
  expect(runTool('qpdf', ['--check', 'FILE'], await draw(invoice))).toContain(
    'No syntax or stream encoding errors',
  )
})
