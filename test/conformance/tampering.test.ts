/**
 * One byte changed, lost or added anywhere in what the signature covers is found by every verifier.
 * Repeat with the SEED told.
 */

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawSeed, seededRandom } from '../stack/random'
import { isSignatureValid } from '../stack/xml'
import { hasProgram, run } from './programs'
import { signFamily, type SignedCase, type SignedFamily } from './signed-family'

const xmlsec = hasProgram('xmlsec1')
const random = seededRandom(drawSeed('tampering'))

// xml-crypto's own xmldom tells the console what it finds malformed.
beforeEach(() => {
  for (const level of ['warn', 'error'] as const) jest.spyOn(console, level).mockReturnValue()
})

let family: SignedFamily
let sample: SignedCase
beforeAll(async () => {
  family = await signFamily(random)
  const found = family.cases.find(({ file }) => file === 'ecp256-hard-text.xml')
  if (!found) throw new Error('no case to tamper with')
  sample = found
})

// xmldom forgives broken markup, so xml-crypto is asked about words alone; libxml2 forgives
// nothing.
const isWord = /[A-Za-z0-9\u0080-\u00FF]/
const isAnything = /[^\0]/

// Latin-1 sees each byte as one character.
const regions: [name: string, pattern: RegExp][] = [
  ['what stands before the signature', /<Invoice .*(?=<ds:Signature )/s],
  ['what stands after the signature', /(?<=<\/ds:Signature>).*/s],
  ['the signed info', /<ds:SignedInfo.*<\/ds:SignedInfo>/s],
  // The last character before the padding carries bits that mean nothing.
  ['the signature value', /(?<=<ds:SignatureValue>).*(?=.==<\/ds:SignatureValue>)/s],
  ['the signed properties', /<xades:SignedProperties.*<\/xades:SignedProperties>/s],
]

describe.each(regions)('%s', (_, region) => {
  it('holds no byte that can change without xml-crypto noticing', () => {
    for (const [told, xml] of tampered(region, isWord, 60)) {
      expect([told, verifiesWithXmlCrypto(xml)]).toEqual([told, false])
    }
  })

  const testIf = xmlsec ? it : it.skip
  testIf('holds no byte that xmlsec1 does not miss', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tampering-'))
    expect(await verifiesWithXmlsec(folder, sample.xml)).toBe(true)
    for (const [told, xml] of tampered(region, isAnything, 20)) {
      expect([told, await verifiesWithXmlsec(folder, xml)]).toEqual([told, false])
    }
  })
})

// What cannot be read is as good as found.
function verifiesWithXmlCrypto(xml: Buffer): boolean {
  try {
    return isSignatureValid(xml)
  } catch {
    return false
  }
}

async function verifiesWithXmlsec(folder: string, xml: Buffer): Promise<boolean> {
  const file = join(folder, 'document.xml')
  await writeFile(file, xml)
  const trusted = family.trusted.flatMap((pem) => ['--trusted-pem', pem])
  const id = ['--id-attr:Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties']
  return (await run('xmlsec1', '--verify', ...trusted, ...id, file)).code === 0
}

/**
 * `count` copies of the sample, each with one change inside the region, at a place whose character
 * `where` allows.
 */
function tampered(region: RegExp, where: RegExp, count: number): [told: string, xml: Buffer][] {
  const text = sample.xml.toString('latin1')
  const [covered] = region.exec(text) ?? []
  if (covered === undefined) throw new Error(`nothing matches ${region}`)
  const start = text.indexOf(covered)
  const places = placesWorthTampering(covered, where).map((place) => start + place)
  return Array.from({ length: count }, () => {
    const at = random.pick(places)
    const [before, old, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
    const change = pickChange(old)
    return [
      `${before.slice(-10)}[${old} → ${change}]${after.slice(0, 10)}`,
      Buffer.from(before + change + after, 'latin1'),
    ]
  })
}

// Left alone: a reference, which may be spelled in several ways (&#xD; and &#xd;) that are one
// character; and a declaration repeated from an ancestor, which under another name declares what
// nobody uses.
const meaningless = /&[^;]+;|xmlns:(?:ds|xades)=/g

function placesWorthTampering(covered: string, where: RegExp): number[] {
  const masked = covered.replace(meaningless, (text) => '\0'.repeat(text.length))
  return [...masked]
    .map((character, place) => (where.test(character) ? place : 0))
    .filter((place) => place > 0 && place < covered.length - 1)
}

// White space inside a tag means nothing: a space is not simply taken away.
function pickChange(old: string): string {
  const changes = ['', `${old}x`, `x${old}`, 'x', 'y', '7', '\u00C3']
  const breaking = ['<', '&', '"', '>']
  const possible = isWord.test(old) ? changes : [...changes, ...breaking]
  return random.pick(possible.filter((change) => change !== old && !(change === '' && old === ' ')))
}
