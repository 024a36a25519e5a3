/**
 * Evidence of the running service, judged by the DSS of the European Commission at later dates.
 * PRINT=1 prints its table.
 */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@einvoicing/servers/eventually'
import { send } from '../stack/http'
import { aLine, anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'
import { toMarkdown } from '../bench/report'
import { hasProgram, judgesClassPath, runJudge } from './programs'

const judges = hasProgram('javac') && hasProgram('mvn') ? judgesClassPath() : undefined
const testIf = (there: unknown) => (there ? it : it.skip)
const judgedMs = 400_000
const yearMs = 365.25 * 86_400_000
const after = (years: number) => new Date(Date.now() + years * yearMs).toISOString()
// The first certificate of time stamps ends after 300 days, that of the signature after five years.
const dates = {
  today: after(0.001),
  'in three years': after(3),
  'after the signing certificate': after(5.2),
  'in seven years': after(7),
}

const texts = [
  'Conseil',
  'ligne\u0085suivante\u2028et\u2029fin',
  'retour\rligne\nfin\ttab',
  'استشارة قانونية — ⵜⴰⵎⴰⵣⵉⵖⵜ 漢字 😀',
  'A & B <é> "guillemets" \'apostrophes\' ]]>',
]

let folder: string
let stack: Standalone
let organization: Organization
let ids: string[]
let judged: readonly string[][] = []

const download = async (id: string, query: string) => {
  const url = `${stack.baseUrl}/v1/invoices/${id}/xml${query}`
  const answer = await send('GET', url, { key: organization.key.key })
  expect(answer.status).toBe(200)
  return answer
}
const originals = new Map<string, Buffer>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pipeline-evidence-'))
  const judgedFolder = join(folder, 'judged')
  await mkdir(judgedFolder)
  const env = {
    SANDBOX_CRL_SECONDS: '1',
    SANDBOX_TSA_CERTIFICATE_DAYS: '300',
    EVIDENCE_RENEW_BEFORE_DAYS: '1',
  }
  const dataDir = join(folder, 'data')
  stack = await startStandalone({ env: { ...env, EVIDENCE_LEVEL: 'T' }, dataDir })
  organization = await newOrganization(stack)
  const { data: lower } = await organization.invoices.create(body('Conseil'))
  await writeFile(join(judgedFolder, 'original-0.xml'), (await download(lower.id, '')).bytes)
  const stamped = await untilLevel(lower.id, 'T')
  await writeFile(join(judgedFolder, 'stamped-0.xml'), stamped.bytes)
  await stack.stop()
  await stack.restart({ EVIDENCE_LEVEL: 'LTA' })
  const made = await Promise.all(
    texts.map((description) => organization.invoices.create(body(description))),
  )
  ids = made.map(({ data }) => data.id as string)
  for (const id of ids) originals.set(id, (await download(id, '')).bytes)
  await keep(judgedFolder, 'first', 1)
  await stack.stop()
  await stack.restart({
    EVIDENCE_LEVEL: 'LTA',
    SANDBOX_TSA_CERTIFICATE_DAYS: '5479',
    EVIDENCE_RENEW_BEFORE_DAYS: '365',
  })
  const admin = join(__dirname, '../../deploy/admin/dist/main.js')
  await promisify(execFile)(process.execPath, [admin, 'evidence', 'renew', '--all'], {
    env: { PATH: process.env['PATH'], DATA_DIR: stack.dataDir },
  })
  await keep(judgedFolder, 'renewed', 2)
  // Of the authority whose certificate lasts fifteen years.
  const { data: lasting } = await organization.invoices.create(body('Conseil'))
  const once = await untilLevel(lasting.id, 'LTA')
  await writeFile(join(judgedFolder, 'lasting-0.xml'), once.bytes)
  if (!judges) return
  const trusted = ['signer/trusted-certificate.pem', 'simulator/tsa-root.pem'].map((file) =>
    join(stack.dataDir, file),
  )
  const at = Object.values(dates).join(',')
  judged = await runJudge(judges, 'DssLevelJudge', [at, judgedFolder, ...trusted])
  if (process.env['PRINT']) process.stdout.write(toTable())
}, judgedMs)

afterAll(async () => {
  await stack.dispose()
  await rm(folder, { recursive: true })
})

const body = (description: string) => anInvoice({ lines: [aLine({ description })] })

const untilLevel = (id: string, level: string) =>
  eventually(() => download(id, `?level=${level}`), 90_000)

/** What is kept, by file; at each date what DSS says of it. */
function toTable(): string {
  const kept = {
    original: 'B',
    stamped: 'T alone',
    first: 'LTA, certificate of its stamps ends after 300 days',
    renewed: 'the same, renewed',
    lasting: 'LTA, certificate of its stamps ends after 15 years',
  }
  const said = (name: string, at: string) => {
    const found = judged.filter(([date, file]) => date === at && file?.startsWith(`${name}-`))
    const texts = found.map(([, , , indication = '', , stamps = '']) => {
      const passed = stamps.split(' ').filter((stamp) => stamp.includes(':PASSED:true'))
      return `${indication}, ${passed.length} of ${stamps.split(' ').filter(Boolean).length} stamps`
    })
    return [...new Set(texts)].join('; ')
  }
  const rows = Object.entries(kept).map(([name, text]) => ({
    kept: text,
    ...Object.fromEntries(Object.entries(dates).map(([date, at]) => [date, said(name, at)])),
  }))
  return toMarkdown({ title: 'What is kept, and what DSS says of it', note: 'By date.', rows })
}

/** Writes each document once it has so many archive time stamps. */
async function keep(into: string, name: string, stamps: number): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const { bytes } = await eventually(async () => {
      const found = await download(id, '?level=LTA')
      expect(found.headers.get('x-signature-level')).toBe('XAdES-B-LTA')
      expect(found.bytes.toString().split('<xades141:ArchiveTimeStamp ')).toHaveLength(stamps + 1)
      return found
    }, 90_000)
    await writeFile(join(into, `${name}-${index}.xml`), bytes)
  }
}

it('leaves the original as it was, byte for byte', async () => {
  for (const id of ids) {
    expect((await download(id, '')).bytes.equals(originals.get(id)!)).toBe(true)
  }
})

/** Without the best time of a signature, which differs. */
const found = (name: string, date: keyof typeof dates) => {
  const lines = judged.filter(
    ([at = '', file = '']) => at === dates[date] && file.startsWith(`${name}-`),
  )
  expect(lines).toHaveLength(texts.length)
  return [
    ...new Set(
      lines.map(([, , format, indication, , stamps]) => [format, indication, stamps].join(' ')),
    ),
  ]
}
const [signature, archive] = ['SIGNATURE_TIMESTAMP:PASSED:true', 'ARCHIVE_TIMESTAMP:PASSED:true']
const passed = 'XAdES-BASELINE-LTA TOTAL_PASSED'

testIf(judges)('is passed by DSS, each time stamp by itself', () => {
  expect(found('first', 'today')).toEqual([`${passed} ${signature} ${archive}`])
})

testIf(judges)('ends with the certificate of its last time stamp, unless it is renewed', () => {
  expect(found('first', 'in three years')[0]).toContain('INDETERMINATE')
  for (const date of Object.keys(dates) as (keyof typeof dates)[]) {
    expect(found('renewed', date)).toEqual([`${passed} ${signature} ${archive} ${archive}`])
  }
})

testIf(judges)('outlives the signing certificate only with more than a time stamp', () => {
  const indication = (name: string) =>
    judged.find(
      ([at, file]) => at === dates['after the signing certificate'] && file === `${name}-0.xml`,
    )?.[3]
  const names = ['original', 'stamped', 'renewed', 'lasting']
  expect(names.map((name) => [name, indication(name)])).toEqual([
    ['original', 'INDETERMINATE'],
    ['stamped', 'INDETERMINATE'],
    ['renewed', 'TOTAL_PASSED'],
    ['lasting', 'TOTAL_PASSED'],
  ])
})

testIf(judges)('proves that the signature is as old as its first time stamp', () => {
  const hourMs = 3_600_000
  for (const [, , , , time = ''] of judged.filter(([, file]) => file?.startsWith('renewed'))) {
    expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(hourMs)
  }
})
