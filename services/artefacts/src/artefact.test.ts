import { toStoredObject, artefactKey, computeRetention } from './artefact'
import { keySegments } from './objects/objects'
import { computeLockEnd } from './objects/s3/versions'

it.each([
  ['2026-05-03', undefined, '2036'],
  ['2026-01-01', undefined, '2036'],
  ['2026-12-31', undefined, '2036'],
  ['2027-01-01', undefined, '2037'],
  // The later of invoice and signature.
  ['2000-01-01', '2026-05-03T10:00:00Z', '2036'],
  ['2027-01-01', '2026-05-03T10:00:00Z', '2037'],
  // It is 2027 in Morocco by then.
  ['2026-12-31', '2026-12-31T23:30:00Z', '2037'],
  // As they could be dated once.
  ['9999-12-31', '2026-05-03T10:00:00Z', '2037'],
  ['0001-01-01', '2026-05-03T10:00:00Z', '2036'],
  ['9988-01-01', undefined, '9998'],
  ['9989-01-01', undefined, '9998'],
  ['9999-12-31', undefined, '9998'],
])(
  'an invoice of %s, signed at %s, is retained to the end of %s',
  (invoiceDate, signedAt, year) => {
    const until = computeRetention({ invoiceDate, signedAt })
    expect(until.toISOString()).toBe(`${year}-12-31T23:59:59.999Z`)
  },
)

it.each(['', '2026', '03/05/2026', '2026-05-03T00:00:00Z'])(
  'has no retention for the date %j',
  (invoiceDate) => {
    expect(() => computeRetention({ invoiceDate })).toThrow(RangeError)
  },
)

it.each(['2026-05-03', '9999-12-31'])('locks an object of %s to a date of four digits', (date) => {
  const object = toStoredObject('qr', Buffer.from('abc'), { invoiceDate: date })
  const until = computeLockEnd(object, new Date('2026-05-03T10:00:00Z')).toISOString()
  expect(until).toMatch(/^\d{4}-01-01T00:00:00\.000Z$/)
})

it('carries the SHA-256 and the media type of its bytes', () => {
  const { sha256, mediaType } = toStoredObject('qr', Buffer.from('abc'), {
    invoiceDate: '2026-05-03',
  })
  expect(mediaType).toBe('image/png')
  // FIPS 180-2, appendix B.1.
  expect(sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('has its own key for each organization, invoice and kind, valid in every store', () => {
  const kinds = ['signedXml', 'pdf', 'qr'] as const
  const keys = kinds.map((kind) => artefactKey('7b0e8f0a-1c2d', '0191f6a0-5b1c', kind))
  expect(new Set(keys).size).toBe(3)
  for (const key of keys) expect(keySegments(key)).toHaveLength(3)
})
