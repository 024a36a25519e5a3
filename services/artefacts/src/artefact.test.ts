import { artefact, artefactKey, retainUntil } from './artefact'
import { keySegments } from './objects/objects'

it('is retained for ten full years from the end of the year of issue', () => {
  expect(retainUntil('2026-05-03').toISOString()).toBe('2036-12-31T23:59:59.999Z')
  expect(retainUntil('2026-01-01').toISOString()).toBe('2036-12-31T23:59:59.999Z')
  expect(retainUntil('2026-12-31').toISOString()).toBe('2036-12-31T23:59:59.999Z')
  expect(retainUntil('2027-01-01').toISOString()).toBe('2037-12-31T23:59:59.999Z')
})

it.each(['', '2026', '03/05/2026', '2026-05-03T00:00:00Z'])(
  'has no retention for the date %j',
  (date) => {
    expect(() => retainUntil(date)).toThrow(RangeError)
  },
)

it('carries the SHA-256 and the media type of its bytes', () => {
  const { sha256, mediaType } = artefact('qr', Buffer.from('abc'), '2026-05-03')
  expect(mediaType).toBe('image/png')
  // FIPS 180-2, appendix B.1.
  expect(sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('has a place of its own for each organization, invoice and kind, which every store takes', () => {
  const kinds = ['signedXml', 'pdf', 'qr'] as const
  const keys = kinds.map((kind) => artefactKey('7b0e8f0a-1c2d', '0191f6a0-5b1c', kind))
  expect(new Set(keys).size).toBe(3)
  for (const key of keys) expect(keySegments(key)).toHaveLength(3)
})
