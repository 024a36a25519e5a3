/** One byte changed, lost or added anywhere in what the signature covers is found by every verifier. Repeat with the SEED told. */

import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawSeed, seededRandom } from '../stack/random'
import { hasProgram, run } from './programs'
import { signFamily, type SignedCase, type SignedFamily } from './signed-family'
import { verifiesWithXmlCrypto } from './xml-crypto'

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
  it('holds no byte that xml-crypto does not miss', () => {
    for (const [told, xml] of tampered(region, 60)) {
      expect([told, verifiesWithXmlCrypto(xml, sample.certificate)]).toEqual([told, false])
    }
  })

  const testIf = xmlsec ? it : it.skip
  testIf('holds no byte that xmlsec1 does not miss', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tampering-'))
    expect(await verifiesWithXmlsec(folder, sample.xml)).toBe(true)
    for (const [told, xml] of tampered(region, 12)) {
      expect([told, await verifiesWithXmlsec(folder, xml)]).toEqual([told, false])
    }
  })
})

async function verifiesWithXmlsec(folder: string, xml: Buffer): Promise<boolean> {
  const file = join(folder, 'document.xml')
  await writeFile(file, xml)
  const trusted = family.trusted.flatMap((pem) => ['--trusted-pem', pem])
  const id = ['--id-attr:Id', 'http://uri.etsi.org/01903/v1.3.2#:SignedProperties']
  return (await run('xmlsec1', '--verify', ...trusted, ...id, file)).code === 0
}

function tampered(region: RegExp, count: number): [told: string, xml: Buffer][] {
  const text = sample.xml.toString('latin1')
  const [covered] = region.exec(text) ?? []
  if (covered === undefined) throw new Error(`nothing matches ${region}`)
  const start = text.indexOf(covered)
  const places = placesWorthTampering(covered).map((place) => start + place)
  return Array.from({ length: count }, () => {
    const at = random.pick(places)
    const changed = tamper(text, at)
    return [`${text.slice(at - 10, at)}[${changed.how}]${text.slice(at + 1, at + 10)}`, changed.xml]
  })
}

// Left alone: a reference, which may be spelled in several ways (&#xD; and &#xd;) that are one character; and a declaration
// repeated from an ancestor, which under another name declares what nobody uses.
const meaningless = /&[^;]+;|xmlns:(?:ds|xades)=/g

function placesWorthTampering(covered: string): number[] {
  const masked = covered.replace(meaningless, (text) => '\0'.repeat(text.length))
  return [...masked].flatMap((character, place) => (character === '\0' ? [] : [place]))
}

function tamper(text: string, at: number): { how: string; xml: Buffer } {
  const [before, old, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
  const how = pickChange(old)
  return { how: `${old} → ${how}`, xml: Buffer.from(before + how + after, 'latin1') }
}

// White space inside a tag means nothing: a space is never put beside, or in place of, a space.
function pickChange(old: string): string {
  const changes = ['', `${old}x`, `x${old}`, 'x', 'y', '7', '\u00C3', '<', '&', '"', '>']
  return random.pick(changes.filter((change) => change !== old && !(change === '' && old === ' ')))
}
