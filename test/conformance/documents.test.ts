/** Verifies signed documents with independent programs. Repeat a run with the SEED it printed. */

import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawSeed, seededRandom } from '../stack/random'
import { isSignatureValid } from '../stack/xml'
import { isInEn16931, toMinorDigits } from './family'
import { en16931Rules, hasProgram, judgesClassPath, run, runJudge, schemaFolder } from './programs'
import { toExpectedText, readDocumentText } from './said'
import { signFamily, type SignedCase, type SignedFamily } from './signed-family'

const xmlsec = hasProgram('xmlsec1')
const schemas = hasProgram('xmllint') ? schemaFolder() : undefined
const rules = en16931Rules()
const judges = hasProgram('javac') && hasProgram('mvn') ? judgesClassPath() : undefined

const testIf = (there: unknown) => (there ? it : it.skip)
const judgedMs = 300_000

// The signature has no place outside the extension, and the extension none in EN 16931's core.
const unavoidableWarnings = ['warning:UBL-CR-001', 'warning:UBL-CR-137']

let family: SignedFamily
let files: string[]

const toPath = ({ file }: SignedCase) => join(family.folder, file)

beforeAll(async () => {
  family = await signFamily(seededRandom(drawSeed('conformance')))
  files = family.cases.map(toPath)
}, judgedMs)

it('signs a varied family with every kind of key', async () => {
  expect(family.cases.length).toBeGreaterThanOrEqual(60)
  expect(await readdir(family.folder)).toHaveLength(family.cases.length)
})

it('contains the texts of the client and the organization, character for character', () => {
  for (const { invoice, xml } of family.cases) {
    expect(readDocumentText(xml)).toEqual(toExpectedText(invoice, toMinorDigits(invoice)))
  }
})

it('verifies under xml-crypto and xmldom', () => {
  // The longest alone would take them five seconds.
  const readable = family.cases.filter(({ file }) => !file.includes('longest'))
  const rejected = readable.filter(({ xml }) => !isSignatureValid(xml))
  expect(rejected.map(({ file }) => file)).toEqual([])
})

testIf(xmlsec)('verifies under xmlsec1, through the certificate it carries', async () => {
  const trusted = family.trusted.flatMap((file) => ['--trusted-pem', file])
  const { code, errors } = await run(
    'xmlsec1',
    '--verify',
    ...trusted,
    '--id-attr:Id',
    signedProperties,
    ...files,
  )
  expect([code, errors.match(/^OK$/gm)?.length, errors.match(/ok\/all\): 2\/2/g)?.length]).toEqual([
    0,
    files.length,
    files.length,
  ])
})

testIf(schemas)(
  'is valid UBL 2.1, and invalid documents are rejected',
  async () => {
    const broken = join(family.folder, '..', 'broken.xml')
    await writeFile(
      broken,
      (family.cases[0]?.xml.toString() ?? '').replace(/<cbc:IssueDate>.*?<\/cbc:IssueDate>/, ''),
    )
    const isCreditNote = ({ invoice }: SignedCase) => invoice.type === 'CREDIT_NOTE'
    const notes = family.cases.filter(isCreditNote).map(toPath)
    const invoices = family.cases.filter((each) => !isCreditNote(each)).map(toPath)
    expect(notes.length).toBeGreaterThanOrEqual(3)
    expect(await findInvalid('CreditNote', notes)).toEqual([])
    expect(await findInvalid('Invoice', [...invoices, broken])).toEqual([
      `${broken} fails to validate`,
    ])
  },
  judgedMs,
)

testIf(judges && rules)(
  'obeys every rule of EN 16931, and violations are reported',
  async () => {
    const results = await runJudge(judges ?? '', 'En16931Judge', [family.folder, rules ?? ''])
    expect(results).toHaveLength(files.length)
    const failures = new Map(results.map(([file, , ...failed]) => [file, failed]))
    for (const { file, invoice } of family.cases) {
      if (isInEn16931(invoice))
        expect([file, failures.get(file)]).toEqual([file, unavoidableWarnings])
      // The standard allows no third decimal: proof that the validator works.
      else expect(failures.get(file)).toContain('fatal:BR-DEC-14')
    }
  },
  judgedMs,
)

testIf(judges)(
  'is XAdES-BASELINE-B over the full document to the DSS of the European Commission',
  async () => {
    const results = await runJudge(judges ?? '', 'DssJudge', [family.folder, ...family.trusted])
    expect(results).toHaveLength(files.length)
    for (const [file, ...result] of results) {
      // A private authority has no address to fetch its certificate from.
      const warnings = '[The authority info access is not present!]'
      expect([file, ...result]).toEqual([
        file,
        'XAdES-BASELINE-B',
        'TOTAL_PASSED',
        'null',
        'FULL',
        '[]',
        warnings,
      ])
    }
  },
  judgedMs,
)

async function findInvalid(root: string, documents: readonly string[]): Promise<string[]> {
  const schema = join(schemas ?? '', 'maindoc', `UBL-${root}-2.1.xsd`)
  const options = ['--nonet', '--huge', '--noout', '--schema', schema]
  const { errors } = await run('xmllint', ...options, ...documents)
  const results = errors.split('\n').filter((line) => / (validates|fails to validate)$/.test(line))
  expect(results).toHaveLength(documents.length)
  return results.filter((line) => !line.endsWith(' validates'))
}

const signedProperties = 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties'
