/** Evidence added to our documents, judged by the DSS of the European Commission at later dates. */

import { createHash, KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import {
  addEvidence,
  archiveTimeStampInput,
  readEvidence,
  signatureTimeStampInput,
  type Evidence,
} from '@einvoicing/verification/evidence'
import { readSignedParts } from '@einvoicing/verification/signature-form'
import {
  issueToken,
  type TimeStampAuthority,
} from '@einvoicing/verification/time-stamps/issue-token'
import { hasProgram, judgesClassPath, runJudge } from './programs'
import { signGolden } from './signed-family'

const judges = hasProgram('javac') && hasProgram('mvn') ? judgesClassPath() : undefined
const testIf = (there: unknown) => (there ? it : it.skip)
const judgedMs = 90_000
const dayMs = 86_400_000
const yearMs = 365 * dayMs
const now = new Date(Math.floor(Date.now() / 1_000) * 1_000)
const after = (ms: number) => new Date(now.getTime() + ms)

interface TestAuthority {
  stamps: TimeStampAuthority
  root: string
  rootCertificate: Buffer
  /** Says of the time stamp authority's certificate that it was not revoked then. */
  crlAt(time: Date): Promise<Buffer>
}

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

testIf(judges)('renewed before that, it stands after both certificates ended', () => {
  const stamps = `${signature} ${archive} ${archive}`
  for (const date of [
    'after the certificate of the signature ended',
    'in fifteen years',
  ] as const) {
    expect(found('renewed', date)).toEqual({ ...stands, stamps })
  }
})

it('is read back, and nothing else is', async () => {
  const renewed = await renew(documents[0]!.xml)
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
  expect(() => readEvidence(readSignedParts(spaced))).toThrow('does not have the form of ours')
})

const toB = (xml: Buffer): Promise<Buffer> => Promise.resolve(xml)

function toT(xml: Buffer): Promise<Buffer> {
  const input = signatureTimeStampInput(readSignedParts(xml))
  const token = stamp(first, input, now)
  return Promise.resolve(addEvidence(xml, [{ kind: 'signatureTimeStamp', token }]))
}

async function toLta(xml: Buffer): Promise<Buffer> {
  const lt = addEvidence(await toT(xml), [
    { kind: 'certificates', certificates: [first.rootCertificate] },
    { kind: 'revocationData', crls: [await first.crlAt(after(3_600_000))], ocspResponses: [] },
  ])
  return addArchiveTimeStamp(lt, { by: first, time: after(7_200_000), number: 1 })
}

async function renew(xml: Buffer): Promise<Buffer> {
  const time = after(2 * yearMs)
  const revocation: Evidence = {
    kind: 'timeStampValidationData',
    number: 1,
    // About the second authority, too: an offline verifier has no other.
    crls: [await first.crlAt(time), await second.crlAt(time)],
    ocspResponses: [],
  }
  const renewed = addEvidence(await toLta(xml), [revocation])
  return addArchiveTimeStamp(renewed, { by: second, time: new Date(+time + dayMs), number: 2 })
}

interface ArchiveStamp {
  by: TestAuthority
  time: Date
  number: number
}

function addArchiveTimeStamp(xml: Buffer, { by, time, number }: ArchiveStamp): Buffer {
  const parts = readSignedParts(xml)
  const token = stamp(by, archiveTimeStampInput(parts, readEvidence(parts)), time)
  return addEvidence(xml, [{ kind: 'archiveTimeStamp', number, token }])
}

function stamp({ stamps }: TestAuthority, input: Buffer, time: Date): Buffer {
  const digest = createHash('sha256').update(input).digest()
  const request = { hash: 'sha256', digest, nonce: 1n } as const
  return issueToken(request, stamps, { time, serialNumber: 1n })
}

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
  const levels = { B: toB, T: toT, LTA: toLta, renewed: renew }
  for (const [level, make] of Object.entries(levels)) {
    for (const { name, xml } of documents) {
      await writeFile(join(made, `${level}-${name}`), await make(xml))
    }
  }
  const at = Object.values(dates).map((date) => date.toISOString())
  const lines = await runJudge(classPath, 'DssLevelJudge', [at.join(','), made, ...trusted])
  return lines.map(
    ([date = '', file = '', format = '', indication = '', time = '', stamps = '']) => ({
      ...{ at: date, file, format, indication, time, stamps },
    }),
  )
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function makeAuthority(name: string, notAfter: Date): Promise<TestAuthority> {
  const makeKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [rootKeys, keys] = [await makeKeys(), await makeKeys()]
  const subject = (kind: string) => `C=MA, O=Tests, CN=${name} ${kind}`
  const root = await x509.X509CertificateGenerator.createSelfSigned(
    {
      ...{ name: subject('root'), keys: rootKeys, signingAlgorithm: algorithm },
      ...{ notBefore: after(-dayMs), notAfter: after(20 * yearMs) },
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
          true,
        ),
      ],
    },
    webcrypto,
  )
  const certificate = await x509.X509CertificateGenerator.create(
    {
      ...{ subject: subject('TSA'), issuer: root.subject, serialNumber: '07' },
      ...{
        publicKey: keys.publicKey,
        signingKey: rootKeys.privateKey,
        signingAlgorithm: algorithm,
      },
      ...{ notBefore: after(-dayMs), notAfter },
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.timeStamping], true),
      ],
    },
    webcrypto,
  )
  return {
    stamps: {
      privateKey: KeyObject.from(keys.privateKey),
      certificates: [new X509Certificate(Buffer.from(certificate.rawData))],
      policy: '1.3.6.1.4.1.9999.1',
    },
    root: root.toString('pem'),
    rootCertificate: Buffer.from(root.rawData),
    async crlAt(time) {
      const crl = await x509.X509CrlGenerator.create(
        {
          ...{ issuer: root.subject, thisUpdate: time, nextUpdate: new Date(+time + dayMs) },
          ...{ signingAlgorithm: algorithm, signingKey: rootKeys.privateKey },
        },
        webcrypto,
      )
      return Buffer.from(crl.rawData)
    },
  }
}

async function writeRoot({ root }: TestAuthority, name: string): Promise<string> {
  const file = join(folder, `${name}.pem`)
  await writeFile(file, root)
  return file
}
