/** Judges PDFs by veraPDF, as PDF/A-3 and as PDF/UA-1. Repeat a run with the SEED it printed. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawInvoice } from '@einvoicing/artefacts/pdf/draw-invoice'
import { openFaces } from '@einvoicing/artefacts/text/fonts'
import type { Invoice } from '@einvoicing/proto/invoice'
import { drawSeed, seededRandom } from '../stack/random'
import { goldenInvoices, randomInvoice } from './family'
import { hasProgram, judgesClassPath, runJudge } from './programs'
import { signGolden } from './signed-family'

const judges = hasProgram('javac') && hasProgram('mvn') ? judgesClassPath() : undefined
const testIf = (there: unknown) => (there ? it : it.skip)
const judgedMs = 180_000
// What is 3a is 3b.
const flavours = ['3a', 'ua1']
const kinds = ['credit-note', 'prepayment', 'more-fields']
const randomCount = 2

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdfs-'))
})
afterAll(() => rm(folder, { recursive: true }))

function makeInvoices(): [name: string, invoice: Invoice][] {
  const random = seededRandom(drawSeed('pdf'))
  const accepted = {
    status: 'ACCEPTED',
    dgiReference: 'SIM-2026-1',
    signedAt: '2026-05-03',
  } as const
  const golden = goldenInvoices()
  const simple = golden.find(([name]) => name === 'simple')![1]
  const issuer = { ...simple.issuer!, name: 'A & B <é> "1" 😀 شركة \u{10FFFF}' }
  const lines = Array.from({ length: 30 }, (_, i) => ({ ...simple.lines[0]!, lineNumber: i + 1 }))
  const texts = { buyerName: 'ⵜⴰⵎⴰⵣⵉⵖⵜ 漢字 Łódź µ Ω שלום', buyerAddress: '\uE000 \uF001 لا إله ﷺ' }
  return [
    ['names', { ...simple, ...accepted, issuer, invoiceNumber: 'F<&>"😀\u0007شركة' }],
    ['two-pages', { ...simple, ...accepted, ...texts, lines, status: 'TRANSMITTED' }],
    ['rejected', { ...simple, ...accepted, status: 'REJECTED', dgiErrorCode: 'X' }],
    ['draft', { ...simple, status: 'PENDING' }],
    ...golden
      .filter(([name]) => kinds.includes(name))
      .map(([name, invoice]): [string, Invoice] => [name, { ...invoice, ...accepted }]),
    ...Array.from({ length: randomCount }, (_, i): [string, Invoice] => [
      `random-${i}`,
      { ...randomInvoice(random), ...accepted },
    ]),
  ]
}

testIf(judges)(
  'is PDF/A-3a and PDF/UA-1, whatever the kind of document and the text',
  async () => {
    const faces = openFaces()
    const { documents } = await signGolden(await mkdtemp(join(folder, 'signed-')), ['simple'])
    const signedXml = documents[0]!.xml
    const invoices = makeInvoices()
    for (const [name, invoice] of invoices) {
      const original = invoice.status === 'PENDING' ? undefined : signedXml
      const pdf = await drawInvoice(invoice, faces, { environment: 'test', signedXml: original })
      await writeFile(join(folder, `${name}.pdf`), pdf)
    }
    const results = await runJudge(judges ?? '', 'PdfJudge', [folder, ...flavours])
    expect(results).toHaveLength(invoices.length * flavours.length)
    const failed = results.filter(([, , isCompliant]) => isCompliant !== 'true')
    expect(failed).toEqual([])
    for (const [, , , checks] of results) expect(Number(checks)).toBeGreaterThan(1_000)
  },
  judgedMs,
)
