import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStampKey, readStamp, signStamp, stampHash, type InvoiceStamp } from './qr-payload'

const dir = mkdtempSync(join(tmpdir(), 'stamp-'))
afterAll(() => rmSync(dir, { recursive: true }))
const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const stamp: InvoiceStamp = {
  reference: 'SIM-2026-0000000123',
  issuerIce: '001234567000089',
  issuerName: 'Atelier Nord',
  number: 'F-2026-001',
  issueDate: '2026-11-20',
  amountTtc: '1200.00',
  currency: 'MAD',
  documentHash: stampHash('ab'.repeat(32)),
  typeCode: '381',
}

it('says what was stamped', () => {
  expect(readStamp(signStamp(stamp, key), key)).toEqual(stamp)
})

it('reads a stamp of an earlier version, without name and type', () => {
  const { issuerName: _, typeCode: __, ...older } = stamp
  expect(readStamp(signStamp(older, key), key)).toEqual({
    ...older,
    issuerName: undefined,
    typeCode: undefined,
  })
})

it('is refused when any part of it was changed', () => {
  const payload = signStamp(stamp, key)
  for (let at = 0; at < payload.length; at += 1) {
    const other = payload[at] === 'A' ? 'Q' : 'A'
    const changed = payload.slice(0, at) + other + payload.slice(at + 1)
    // The last character of base64url holds spare bits: other text, the same bytes.
    if (at < payload.length - 1) expect(readStamp(changed, key)).toBeUndefined()
  }
})

it.each(['', '.', '..', 'a.b.c', `${signStamp(stamp, key)}.`])('is refused as %j', (payload) => {
  expect(readStamp(payload, key)).toBeUndefined()
})

it('is refused under another platform’s key', async () => {
  const other = await openStampKey(join(dir, 'other.pem'))
  expect(readStamp(signStamp(stamp, key), other)).toBeUndefined()
})

it.each([
  ['40 bytes', 'n'.repeat(40), 'n'.repeat(40)],
  ['41 bytes', 'n'.repeat(41), `${'n'.repeat(37)}…`],
  ['64 wide characters', '名'.repeat(64), `${'名'.repeat(12)}…`],
  ['emoji', '😀'.repeat(32), `${'😀'.repeat(9)}…`],
])('shortens a number and a name of %s', (_what, number, shortened) => {
  const longest = { ...stamp, number, issuerName: number, amountTtc: '999999999999999.99' }
  const payload = signStamp(longest, key)
  expect(payload.length).toBeLessThan(425)
  expect(readStamp(payload, key)).toMatchObject({ number: shortened, issuerName: shortened })
})

it('is signed by a persistent key that others cannot read', async () => {
  const file = join(dir, 'key.pem')
  const payload = signStamp(stamp, await openStampKey(file))
  expect(readStamp(payload, await openStampKey(file))).toEqual(stamp)
  expect(statSync(file).mode & 0o077).toBe(0)
})
