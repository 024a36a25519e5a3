/** What every store of objects must do. `open` gives a fresh, empty one each time. */

import { sha256Hex } from './digest'
import { ObjectTaken, type Objects, type StoredObject } from './objects'

export function xml(text: string): StoredObject {
  const bytes = Buffer.from(text)
  return {
    bytes,
    mediaType: 'application/xml',
    sha256: sha256Hex(bytes),
    retainUntil: new Date('2036-12-31T23:59:59.999Z'),
  }
}

const key = 'org-1/invoice-1/signed.xml'
const hostileKeys = [
  '',
  'one-part',
  '/org/invoice',
  'org//invoice',
  'org/../../etc/passwd',
  'org/./invoice',
  '.incoming/invoice/x',
  'org/invoice\u0000/x',
  'org\\invoice/x',
  'ORG/invoice/x',
  'org/inv oice/x',
  'org/ïnvoice/x',
  `org/${'x'.repeat(129)}/x`,
  'a/b/c/d/e/f/g',
]

export function objectsContract(open: () => Promise<Objects>): void {
  it('returns what was put', async () => {
    const objects = await open()
    await objects.put(key, xml('<Invoice/>'))
    expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
  })

  it('returns undefined for a missing object, also beside another', async () => {
    const objects = await open()
    expect(await objects.get(key)).toBeUndefined()
    await objects.put(key, xml('<Invoice/>'))
    expect(await objects.get('org-1/invoice-1/qr.png')).toBeUndefined()
    expect(await objects.get('org-2/invoice-1/signed.xml')).toBeUndefined()
  })

  it('accepts the same bytes again', async () => {
    const objects = await open()
    await objects.put(key, xml('<Invoice/>'))
    await objects.put(key, xml('<Invoice/>'))
    expect((await objects.get(key))?.bytes.toString()).toBe('<Invoice/>')
  })

  it('rejects other bytes under an existing key and keeps the first', async () => {
    const objects = await open()
    await objects.put(key, xml('<Invoice/>'))
    await expect(objects.put(key, xml('<Other/>'))).rejects.toThrow(ObjectTaken)
    expect((await objects.get(key))?.bytes.toString()).toBe('<Invoice/>')
  })

  it('adds missing objects, and keeps existing ones', async () => {
    const objects = await open()
    await objects.add(key, xml('<Invoice/>'))
    await objects.add(key, xml('<Invoice/>'))
    await objects.add(key, xml('<Other/>'))
    expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
    await objects.put('org-1/invoice-2/signed.xml', xml('<Second/>'))
    await objects.add('org-1/invoice-2/signed.xml', xml('<Other/>'))
    await objects.add('org-1/invoice-2/qr.png', xml('PNG'))
    expect(await objects.get('org-1/invoice-2/signed.xml')).toEqual(xml('<Second/>'))
    expect(await objects.get('org-1/invoice-2/qr.png')).toEqual(xml('PNG'))
  })

  it('returns whether an added object is there as it was sent', async () => {
    const objects = await open()
    const pdf = 'org-1/invoice-1/invoice.pdf'
    expect(await objects.add(pdf, xml('%PDF'))).toBe(true)
    expect(await objects.add(pdf, xml('%PDF'))).toBe(true)
    expect(await objects.add(pdf, xml('%PDF of others'))).toBe(false)
    await objects.put(key, xml('<Invoice/>'))
    expect(await objects.add(key, xml('<Invoice/>'))).toBe(true)
    expect(await objects.add(key, xml('<Other/>'))).toBe(false)
  })

  it('stores one of many concurrent writes completely, and answers the others that it exists', async () => {
    const objects = await open()
    const puts = Array.from({ length: 12 }, (_, i) => objects.put(key, xml(`<Invoice n="${i}"/>`)))
    const settled = await Promise.allSettled(puts)
    const winners = settled.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []))
    expect(winners).toHaveLength(1)
    expect(await objects.get(key)).toEqual(xml(`<Invoice n="${winners[0]}"/>`))
    for (const result of settled) {
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(ObjectTaken)
    }
  })

  it('lets many writers of the same bytes all succeed', async () => {
    const objects = await open()
    await Promise.all(Array.from({ length: 12 }, () => objects.put(key, xml('<Invoice/>'))))
    expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
  })

  it('keeps large and empty objects', async () => {
    const objects = await open()
    const large = xml('é'.repeat(8 * 1024 * 1024))
    await objects.put(key, large)
    await objects.put('org-1/invoice-2/signed.xml', xml(''))
    expect((await objects.get(key))?.sha256).toBe(large.sha256)
    expect((await objects.get('org-1/invoice-2/signed.xml'))?.bytes).toHaveLength(0)
  })

  it('refuses bytes that do not have the SHA-256 given, and keeps nothing', async () => {
    const objects = await open()
    const lie = { ...xml('<Invoice/>'), sha256: xml('<Other/>').sha256 }
    await expect(objects.put(key, lie)).rejects.toThrow(RangeError)
    await expect(objects.add(key, lie)).rejects.toThrow(RangeError)
    expect(await objects.get(key)).toBeUndefined()
    await objects.put(`${key}.other`, xml('<Invoice/>'))
    await expect(objects.add(key, lie)).rejects.toThrow(RangeError)
  })

  it.each(hostileKeys)('refuses the key %j', async (hostile) => {
    const objects = await open()
    await expect(objects.put(hostile, xml('<Invoice/>'))).rejects.toThrow(RangeError)
    await expect(objects.add(hostile, xml('<Invoice/>'))).rejects.toThrow(RangeError)
    await expect(objects.get(hostile)).rejects.toThrow(RangeError)
  })

  it('lists every key once, in pages, in the same order each time', async () => {
    const objects = await open()
    expect(await objects.list(undefined, 10)).toEqual([])
    const keys = ['org-1', 'org-2'].flatMap((org) =>
      Array.from({ length: 60 }, (_, n) => `${org}/invoice-${n}/signed.xml`),
    )
    keys.push('org-1/invoice-7/qr.png', 'org-1/invoice-7/invoice.pdf')
    for (const each of keys) await objects.put(each, xml(each))
    const listed: string[] = []
    for (;;) {
      const page = await objects.list(listed.at(-1), 7)
      expect(page.length).toBeLessThanOrEqual(7)
      if (page.length === 0) break
      listed.push(...page)
    }
    expect([...listed].sort()).toEqual([...keys].sort())
    expect(await objects.list(undefined, 1_000)).toEqual(listed)
  })

  it('can check that a write is possible', async () => {
    const objects = await open()
    await expect(objects.check()).resolves.toBeUndefined()
  })
}
