/**
 * `einvoicing verify` on every kind of document we sign, and on each of them tampered with: the right
 * check must fail, not just any. Repeat with the SEED that was printed.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { verifyInvoice, type Report } from '@einvoicing/verification/verify/report'
import { readPemCertificates } from '@einvoicing/verification/certificate-chain'
import { after, makeAuthority, toT, yearMs } from '../conformance/levels'
import { signFamily, type SignedFamily } from '../conformance/signed-family'
import { drawSeed, seededRandom } from '../stack/random'
import { einvoicing } from './command-line'

const random = seededRandom(drawSeed('cli-verify'))
const stranger = path.join(__dirname, '../../services/simulator/src/testdata/keys/stranger-ca.pem')

let family: SignedFamily
let sample: string
beforeAll(async () => {
  family = await signFamily(random)
  sample = family.cases.find(({ file }) => file === 'ecp256-hard-text.xml')!.xml.toString('latin1')
}, 120_000)

const trustedBy = (file: string) => readPemCertificates(readFileSync(file, 'utf8'))
const verifyBytes = (xml: Buffer, trusted = family.trusted.flatMap(trustedBy)) =>
  verifyInvoice(xml, { signers: trusted, timeStamps: trusted })
const verify = (xml: string) => verifyBytes(Buffer.from(xml, 'latin1'))
const failing = ({ checks }: Report) => checks.filter(({ ok }) => !ok).map(({ name }) => name)

test('every generated document is valid, with signer, time and level', () => {
  expect(family.cases.length).toBeGreaterThan(50)
  for (const { file, xml, invoice } of family.cases) {
    const report = verifyBytes(xml)
    expect([file, failing(report)]).toEqual([file, []])
    expect(report).toMatchObject({
      valid: true,
      level: 'XAdES-B-B',
      invoice: { invoiceNumber: invoice.invoiceNumber.trim(), amountTtc: expect.any(Number) },
      signer: {
        subject: expect.stringContaining('CN='),
        fingerprint: expect.any(String),
        trusted: true,
      },
    })
    expect(Math.abs(Date.parse(report.signingTime!) - Date.now())).toBeLessThan(600_000)
  }
})

// Latin-1 sees each byte as one character.
const regions: [what: string, region: RegExp, failingCheck: string][] = [
  ['what stands before the signature', /(?<=<Invoice ).*(?=<ds:Signature )/s, 'document'],
  ['what stands after the signature', /(?<=<\/ds:Signature>).*(?=<\/Invoice>)/s, 'document'],
  ['the signed info', /(?<=<ds:SignedInfo).*(?=<\/ds:SignedInfo>)/s, 'signature'],
  ['the signature value', /(?<=<ds:SignatureValue>).*(?=.==<\/ds:SignatureValue>)/s, 'signature'],
  [
    'the signed properties',
    /(?<=<xades:SignedProperties).*(?=<\/xades:SignedProperties>)/s,
    'signedProperties',
  ],
]

describe.each(regions)('a change in %s', (_, region, failingCheck) => {
  test(`fails the check "${failingCheck}"`, () => {
    const [covered = ''] = region.exec(sample) ?? []
    const start = sample.indexOf(covered)
    // Left alone: a reference, which may be spelled in several ways, and declarations said twice.
    const masked = covered.replace(/&[^;]+;|xmlns:\w+=/g, (text) => '\0'.repeat(text.length))
    const places = [...masked].flatMap((character, at) => (/[a-z0-9]/i.test(character) ? [at] : []))
    let readable = 0
    // Most changes are of a tag's name, and leave no XML.
    for (let draw = 0; draw < 2_000 && readable < 20; draw += 1) {
      const at = start + random.pick(places)
      const old = sample.charAt(at)
      const change = random.pick(['x', 'y', '7', `${old}x`].filter((text) => text !== old))
      const report = verify(`${sample.slice(0, at)}${change}${sample.slice(at + 1)}`)
      const where = `${sample.slice(at - 20, at)}[${old} → ${change}]${sample.slice(at + 1, at + 20)}`
      expect([where, report.valid]).toEqual([where, false])
      if (failing(report).includes('form')) continue
      readable += 1
      // The name of an element or of the algorithm may make it something else altogether.
      if (/[<"#/]/.test(sample.slice(sample.lastIndexOf('>', at), at))) continue
      expect([where, failing(report)]).toEqual([where, expect.arrayContaining([failingCheck])])
      if (failingCheck === 'document')
        expect([where, failing(report)]).toEqual([where, [failingCheck]])
    }
    expect(readable).toBe(20)
  })
})

const signature = () => /<ds:Signature .*<\/ds:Signature>/s.exec(sample)?.[0] ?? ''

describe('altered documents', () => {
  const replaced = (from: string | RegExp, to: string) => {
    const changed = sample.replace(from, to)
    expect(changed).not.toBe(sample)
    return verify(changed)
  }
  const findProblem = ({ checks }: Report, name: string) => {
    const { fault: problem } = checks.find((check) => check.name === name)!
    return problem
  }

  test.each<[string, (xml: string) => string, string]>([
    [
      'a DOCTYPE',
      (xml) => xml.replace('<Invoice ', '<!DOCTYPE Invoice [<!ENTITY a "b">]><Invoice '),
      'it has a DOCTYPE, which is not accepted',
    ],
    [
      'a second signature',
      (xml) => xml.replace('</Invoice>', `${signature()}</Invoice>`),
      'it has 2 signatures instead of one',
    ],
    [
      'no signature',
      (xml) => xml.replace(/<ds:Signature .*<\/ds:Signature>/s, ''),
      'it has no signature',
    ],
    [
      'a processing instruction',
      (xml) => xml.replace('</Invoice>', '<?php?></Invoice>'),
      'it contains a processing instruction, which is not accepted',
    ],
    [
      'another encoding',
      (xml) => xml.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"'),
      'it is encoded in ISO-8859-1 instead of UTF-8',
    ],
    [
      'bytes that are no UTF-8',
      (xml) => xml.replace('</Invoice>', '\u00ff</Invoice>'),
      'it is not UTF-8',
    ],
    ['half of it', (xml) => xml.slice(0, xml.length >> 1), 'it is not well-formed XML'],
    ['nothing', () => '', 'it is not well-formed XML'],
  ])('%s', (_, change, problem) => {
    const changed = change(sample)
    expect(changed).not.toBe(sample)
    const report = verify(changed)
    expect([report.valid, failing(report)]).toEqual([false, ['form']])
    expect(findProblem(report, 'form')).toContain(problem)
  })

  test('properties of the same id elsewhere', () => {
    const [properties = ''] =
      /<xades:SignedProperties.*<\/xades:SignedProperties>/s.exec(sample) ?? []
    const wrapped = replaced(
      '</Invoice>',
      `<x xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${properties}</x></Invoice>`,
    )
    expect(failing(wrapped)).toEqual(['form'])
    expect(findProblem(wrapped, 'form')).toMatch(/^several elements have the id /)
  })

  test("another signer's certificate", () => {
    const other = family.cases.find(({ file }) => file === 'rsa2048-simple.xml')
    const [certificate = ''] =
      /(?<=<ds:X509Certificate>)[^<]+/.exec((other ?? family.cases.at(-1)!).xml.toString()) ?? []
    const report = replaced(/(?<=<ds:X509Certificate>)[^<]+/, certificate)
    expect(failing(report)).toEqual(['signedProperties', 'signature'])
    expect(findProblem(report, 'signedProperties')).toBe(
      'they name a different certificate from the one in the signature',
    )
    expect(failing(replaced(/(?<=<ds:X509Certificate>)[^<]+/, 'AAAA'))).toEqual([
      'signedProperties',
      'signature',
      'certificate',
      'authority',
    ])
  })

  test('another time, before the certificate was valid', () => {
    const report = replaced(/(?<=<xades:SigningTime>)\d{4}/, '1999')
    expect(failing(report)).toEqual(['signedProperties', 'certificate', 'authority'])
    expect(findProblem(report, 'certificate')).toMatch(
      /^it is valid from 20.* to 20.*, and the document was signed at 1999-/,
    )
  })

  test('algorithms and transforms that are not of the profile', () => {
    const sha1 = replaced(
      'http://www.w3.org/2001/04/xmlenc#sha256',
      'http://www.w3.org/2000/09/xmldsig#sha1',
    )
    expect(findProblem(sha1, 'document')).toBe(
      'DigestMethod http://www.w3.org/2000/09/xmldsig#sha1 is not accepted',
    )
    const c14n = replaced(
      /(?<=CanonicalizationMethod Algorithm=")[^"]+/,
      'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
    )
    expect(findProblem(c14n, 'signature')).toMatch(/^CanonicalizationMethod .* is not accepted$/)
    const c14nWith = replaced(/(?<=<ds:CanonicalizationMethod [^>]*>)/, '<x xmlns="urn:x"/>')
    expect(findProblem(c14nWith, 'signature')).toMatch(/ with urn:xx is not accepted$/)
    const [prefixes = ''] = /<ec:InclusiveNamespaces[^]*?<\/ec:InclusiveNamespaces>/.exec(sample)!
    const elsewhere = replaced(
      /(?<=URI="#signed-properties"><ds:Transforms><ds:Transform [^>]*>)/,
      prefixes,
    )
    expect(findProblem(elsewhere, 'signedProperties')).toMatch(/InclusiveNamespaces instead of /)
    expect(findProblem(replaced(prefixes, ''), 'document')).toMatch(/^the digest differs: /)
    const transforms = replaced(
      /<ds:Transform Algorithm="[^"]*enveloped-signature"[^>]*>(<\/ds:Transform>)?/,
      '',
    )
    expect(findProblem(transforms, 'document')).toMatch(/^its transforms are .* instead of /)
  })

  test('an authority that did not issue the signer’s certificate', () => {
    const xml = Buffer.from(sample, 'latin1')
    const report = verifyBytes(xml, trustedBy(stranger))
    expect([report.valid, report.signer?.trusted, failing(report)]).toEqual([
      false,
      false,
      ['authority'],
    ])
    expect(verifyInvoice(xml, { signers: undefined, timeStamps: undefined })).toMatchObject({
      valid: false,
      intact: true,
      signer: { trusted: null },
      notChecked: expect.arrayContaining(['authority']) as string[],
    })
  })
})

describe('as a command', () => {
  const writeXml = async (xml: string) => {
    const file = path.join(family.folder, `${random.pick(['a', 'b'])}-${Date.now()}.xml`)
    await writeFile(file, xml, 'latin1')
    return file
  }

  test('prints each check, the signer, the time and the level', async () => {
    const file = await writeXml(sample)
    const { code, output, errors } = await einvoicing([
      'verify',
      file,
      '--trusted',
      family.trusted[0]!,
    ])
    expect([code, errors]).toEqual([0, ''])
    for (const check of [
      'form',
      'document',
      'signedProperties',
      'signature',
      'certificate',
      'authority',
      'amounts',
    ]) {
      expect(output).toContain(`ok   ${check}\n`)
    }
    expect(output).toMatch(/^signed by {2}.*CN=/m)
    expect(output).toMatch(/^signed at {2}20\d\d-\d\d-\d\dT\S+ \(stated by the signer\)$/m)
    expect(output).toMatch(/^level {6}XAdES-B-B$/m)
    expect(output).toMatch(/^VALID, signed by a trusted signer\n$/m)
    const alone = await einvoicing(['verify', '-'], {
      input: Buffer.from(sample, 'latin1'),
    })
    expect(alone.code).toBe(4)
    expect(alone.output).toMatch(/^unchecked {2}authority, timeStamp, revocation, held$/m)
    expect(alone.output).toMatch(
      /\nSIGNATURE INTACT, SIGNER NOT VERIFIED: anyone may have signed it; add --trusted FILE\.pem\n$/,
    )
    expect(alone.output).not.toMatch(/^VALID/m)
  })

  test('an authority of time stamps alone makes no signer a trusted one', async () => {
    const authority = await makeAuthority('time stamps', after(yearMs))
    const stamped = path.join(family.folder, 'stamped.xml')
    await writeFile(stamped, await toT(Buffer.from(sample, 'latin1'), authority))
    const root = path.join(family.folder, 'time-stamps.pem')
    await writeFile(root, authority.root)
    const [signers = ''] = family.trusted
    const both = path.join(family.folder, 'both.pem')
    await writeFile(both, `${readFileSync(signers, 'utf8')}${authority.root}`)
    for (const [trusted, timeStamps, code] of [
      [signers, root, 0],
      [both, undefined, 0],
      [signers, undefined, 1],
      [root, signers, 1],
      [root, both, 1],
      [undefined, both, 4],
    ] as const) {
      const words = [
        ...(trusted === undefined ? [] : ['--trusted', trusted]),
        ...(timeStamps === undefined ? [] : ['--trusted-time-stamps', timeStamps]),
      ]
      const ran = await einvoicing(['verify', stamped, ...words])
      expect([words, ran.code, /^VALID/m.test(ran.output)]).toEqual([words, code, code === 0])
    }
    const pipe = path.join(family.folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const written = writeFile(pipe, readFileSync(both))
    const ran = await einvoicing(['verify', stamped, '--trusted', pipe])
    await written
    expect([ran.code, /^VALID/m.test(ran.output)]).toEqual([0, true])
  })

  test('exits with 1 and names the digest that differs', async () => {
    const file = await writeXml(sample.replace(/(?<=<cbc:PayableAmount[^>]*>)\d/, '9'))
    const { code, output } = await einvoicing(['verify', file])
    expect(code).toBe(1)
    expect(output).toContain(
      'FAIL document: the digest differs: something outside the signature was changed\n',
    )
    expect(output).toContain('ok   signature\n')
    expect(output).toMatch(/\nNOT VALID\n$/)
    const reported = JSON.parse((await einvoicing(['verify', file, '--json'])).output)
    expect(reported).toMatchObject({ file, valid: false, trusted: null, level: 'XAdES-B-B' })
    expect(reported.checks[1]).toMatchObject({ name: 'document', ok: false })
  })

  test('reads no more than 32 MiB', async () => {
    const input = Buffer.alloc(32 * 1024 * 1024 + 1, ' ')
    const { code, errors } = await einvoicing(['verify', '-'], { input })
    expect([code, errors]).toEqual([2, 'USAGE: - is larger than 33554432 bytes.\n'])
  })

  test('exits with 2 for files of the wrong kind', async () => {
    const file = await writeXml(sample)
    expect((await einvoicing(['verify', 'no-such.xml'])).errors).toMatch(
      /^USAGE: Cannot read no-such.xml: there is no such file/,
    )
    const { code, errors } = await einvoicing(['verify', file, '--trusted', file])
    expect([code, errors]).toEqual([2, `USAGE: ${file} contains no PEM certificate.\n`])
  })
})
