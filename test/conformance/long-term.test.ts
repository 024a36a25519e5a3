/** Evidence added to our documents, judged by the DSS of the European Commission at later dates. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEvidence } from '@einvoicing/verification/evidence'
import { readSignedParts } from '@einvoicing/verification/signature-form'
import {
  after,
  dayMs,
  makeAuthority,
  now,
  renew,
  toLta,
  toT,
  yearMs,
  type TestAuthority,
} from './levels'
import { hasProgram, judgesClassPath, runJudge } from './programs'
import { signGolden } from './signed-family'

const judges = hasProgram('javac') && hasProgram('mvn') ? judgesClassPath() : undefined
const testIf = (there: unknown) => (there ? it : it.skip)
const judgedMs = 300_000

const dates = {
  today: after(dayMs),
  'before the first time stamp ends': after(2.5 * yearMs),
  'after the certificate of the signature ended': after(7 * yearMs),
  'in fifteen years': after(15 * yearMs),
}

let folder: string
let documents: { name: string; xml: Buffer }[]
let first: TestAuthority
let second: TestAuthority
let judged: readonly Judged[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'long-term-'))
  const signed = await signGolden(folder, ['hard-text', 'consumer'])
  documents = signed.documents
  first = await makeAuthority('first', after(3 * yearMs))
  second = await makeAuthority('second', after(18 * yearMs))
  const trusted = [
    signed.trusted,
    await writeRoot(first, 'first'),
    await writeRoot(second, 'second'),
  ]
  if (judges) judged = await judgeAll(judges, trusted)
}, judgedMs)

afterAll(() => rm(folder, { recursive: true }))

type Level = 'B' | 'T' | 'LTA' | 'renewed'

/** What DSS found of every document of that level at that date; one answer, since all are alike. */
function found(level: Level, date: keyof typeof dates): Omit<Judged, 'at' | 'file'> {
  const at = dates[date].toISOString()
  const [one, ...others] = judged
    .filter((result) => result.at === at && result.file.startsWith(`${level}-`))
    .map(({ format, indication, time, stamps }) => ({ format, indication, time, stamps }))
  expect(others).toEqual(documents.slice(1).map(() => one))
  return one!
}

const stampedAt = now.toISOString().replace('.000', '')
const [signature, archive] = ['SIGNATURE_TIMESTAMP:PASSED:true', 'ARCHIVE_TIMESTAMP:PASSED:true']

testIf(judges)('B ends with the certificate of the signature', () => {
  const format = 'XAdES-BASELINE-B'
  expect(found('B', 'today')).toMatchObject({ format, indication: 'TOTAL_PASSED' })
  expect(found('B', 'in fifteen years')).toMatchObject({ format, indication: 'INDETERMINATE' })
})

testIf(judges)('a time stamp without revocation data proves nothing later', () => {
  const format = 'XAdES-BASELINE-T'
  const stamps = 'SIGNATURE_TIMESTAMP:INDETERMINATE:true'
  expect(found('T', 'today')).toMatchObject({ format, indication: 'TOTAL_PASSED', stamps })
  expect(found('T', 'in fifteen years')).toMatchObject({ format, indication: 'INDETERMINATE' })
})

const stands = { format: 'XAdES-BASELINE-LTA', indication: 'TOTAL_PASSED', time: stampedAt }

testIf(judges)('LTA stands while the certificate of its time stamp does', () => {
  const stamps = `${signature} ${archive}`
  expect(found('LTA', 'today')).toEqual({ ...stands, stamps })
  expect(found('LTA', 'before the first time stamp ends')).toEqual({ ...stands, stamps })
  expect(found('LTA', 'in fifteen years').indication).toBe('INDETERMINATE')
})

testIf(judges)('renewed in time, it can be verified after both certificates expired', () => {
  const stamps = `${signature} ${archive} ${archive}`
  for (const date of [
    'after the certificate of the signature ended',
    'in fifteen years',
  ] as const) {
    expect(found('renewed', date)).toEqual({ ...stands, stamps })
  }
})

it('is read back, and nothing else is', async () => {
  const renewed = await renew(documents[0]!.xml, first, second)
  const kinds = readEvidence(readSignedParts(renewed)).map(({ evidence }) => evidence.kind)
  expect(kinds).toEqual([
    'signatureTimeStamp',
    'certificates',
    'revocationData',
    'archiveTimeStamp',
    'timeStampValidationData',
    'archiveTimeStamp',
  ])
  const spaced = Buffer.from(renewed.toString().replace('</xades:CertificateValues>', '$& '))
  expect(() => readEvidence(readSignedParts(spaced))).toThrow(
    'does not have the form that this service writes',
  )
})

interface Judged {
  at: string
  file: string
  format: string
  indication: string
  time: string
  stamps: string
}

async function judgeAll(classPath: string, trusted: readonly string[]): Promise<Judged[]> {
  const made = join(folder, 'judged')
  await mkdir(made)
  const levels: Record<Level, (xml: Buffer) => Buffer | Promise<Buffer>> = {
    B: (xml) => xml,
    T: (xml) => toT(xml, first),
    LTA: (xml) => toLta(xml, first),
    renewed: (xml) => renew(xml, first, second),
  }
  for (const [level, make] of Object.entries(levels)) {
    for (const { name, xml } of documents) {
      await writeFile(join(made, `${level}-${name}`), await make(xml))
    }
  }
  const at = Object.values(dates).map((date) => date.toISOString())
  const lines = await runJudge(classPath, 'DssLevelJudge', [at.join(','), made, ...trusted])
  return lines.map(
    ([date = '', file = '', format = '', indication = '', time = '', stamps = '']) => ({
      at: date,
      file,
      format,
      indication,
      time,
      stamps,
    }),
  )
}

async function writeRoot({ root }: TestAuthority, name: string): Promise<string> {
  const file = join(folder, `${name}.pem`)
  await writeFile(file, root)
  return file
}
