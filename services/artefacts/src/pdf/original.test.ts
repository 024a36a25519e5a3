import { createHash } from 'node:crypto'
import type { Invoice } from '@einvoicing/proto/invoice'
import { sha256Hex } from '../objects/digest'
import { awaitingInvoice, sampleInvoice, sampleIssuer } from '../testdata/invoices'
import { signedXml } from '../testdata/signed-xml'
import { itWith, runTool } from '../testdata/tools'
import { openFaces } from '../text/fonts'
import { drawInvoice, type PrintOptions } from './draw-invoice'

const faces = openFaces()
const draw = (invoice: Invoice, options?: PrintOptions) => drawInvoice(invoice, faces, options)

describe('the original', () => {
  const wire = ({ type = 'INVOICE' } = {}) => draw(sampleInvoice({ type }), { signedXml })

  itWith('qpdf').each([
    ['INVOICE', 'facture.xml'],
    ['PREPAYMENT_INVOICE', 'facture.xml'],
    ['CREDIT_NOTE', 'avoir.xml'],
  ])('is attached byte for byte, and named with its SHA-256: %s', async (type, name) => {
    const pdf = await wire({ type })
    expect(runTool('pdfdetach', ['-list', 'FILE'], pdf)).toMatch(
      new RegExp(`^1 embedded files\\n1: ${name}\\n$`),
    )
    const attached = runTool('qpdf', [`--show-attachment=${name}`, 'FILE'], pdf)
    expect(attached).toBe(signedXml.toString())
    const text = runTool('pdftotext', ['-layout', 'FILE', '-'], pdf)
    expect(text).toContain(`Original signé joint : ${name} — SHA-256 : ${sha256Hex(signedXml)}`)
  })

  itWith('qpdf')('is the source of the whole document, with what a reader checks', async () => {
    const json = runTool('qpdf', ['--json', '--json-key=qpdf', 'FILE'], await wire())
    const { qpdf } = JSON.parse(json) as { qpdf: [object, Record<string, Entry>] }
    const values = Object.values(qpdf[1]).map(({ value, stream }) => value ?? stream?.dict)
    const catalog = values.find((value) => value?.['/Type'] === '/Catalog')
    const [reference] = (catalog?.['/AF'] ?? []) as string[]
    const specification = qpdf[1][`obj:${reference}`]?.value
    expect(specification).toMatchObject({ '/AFRelationship': '/Source', '/UF': 'u:facture.xml' })
    const file = values.find((value) => value?.['/Type'] === '/EmbeddedFile')
    expect(file).toMatchObject({
      '/Subtype': '/application/xml',
      '/Params': {
        '/CheckSum': `b:${createHash('md5').update(signedXml).digest('hex')}`,
        '/ModDate': 'u:D:20260503143207Z',
        '/Size': signedXml.length,
      },
    })
  })

  it('does not exist for unsigned invoices', async () => {
    const draft = awaitingInvoice({ status: 'PENDING', signedAt: undefined })
    const pdf = (await draw(draft)).toString('latin1')
    expect(pdf).not.toMatch(/EmbeddedFile|Filespec/)
  })

  itWith('pdftotext')('is named with the address where it can be verified', async () => {
    const address = `https://invoices.example.ma/v/${'a'.repeat(35)}`
    const options = { signedXml, address }
    const [pdf, again] = [
      await draw(sampleInvoice(), options),
      await draw(sampleInvoice(), options),
    ]
    expect(pdf.equals(again)).toBe(true)
    const extractText = (bytes: Buffer) => runTool('pdftotext', ['-layout', 'FILE', '-'], bytes)
    expect(extractText(pdf)).toContain(`Vérifier ce document : ${address}`)
    expect(extractText(await wire())).not.toContain('Vérifier')
    const long = `https://${'a'.repeat(200)}.example.ma/v/${'b'.repeat(35)}`
    const wrapped = extractText(await draw(sampleInvoice(), { signedXml, address: long }))
    expect(wrapped.replaceAll(/\s/g, '')).toContain('b'.repeat(35))
  })

  it('does not change the bytes of the next document', async () => {
    expect((await wire()).equals(await wire())).toBe(true)
  })
})

interface Entry {
  value?: Record<string, unknown>
  stream?: { dict: Record<string, unknown> }
}

it('describes itself in well-formed XML, whatever the names contain', async () => {
  const issuer = { ...sampleIssuer, name: 'A & B <é> "1" \'2\' 😀 شركة' }
  const invoice = sampleInvoice({ issuer, invoiceNumber: ']]> & <x> \u0007' })
  const pdf = (await draw(invoice)).toString()
  const [packet = ''] = /<x:xmpmeta[^]*<\/x:xmpmeta>/.exec(pdf) ?? []
  const texts = runTool(
    'xmllint',
    ['--xpath', "//*[local-name()='li']/text()", 'FILE'],
    Buffer.from(packet),
  )
  expect(texts).toContain('A &amp; B &lt;é&gt; "1" \'2\' 😀 شركة')
  expect(texts).toContain('Facture ]]&gt; &amp; &lt;x&gt; \uFFFD')
})
