import { createHash } from 'node:crypto'
import http from 'node:http'
import { describeWith } from '@einvoicing/servers/describe-with'
import { patientSilenceMs, S3ForTest, s3Servers, type Hand } from '../../testdata/s3-servers'
import { computeRetention } from '../../artefact'
import { objectsContract, xml } from '../objects.contract'
import { ObjectTaken, type Objects } from '../objects'

const key = 'org-1/invoice-1/signed.xml'
const tenYearsOn = new Date('2037-01-01T00:00:00Z')
const names = Object.keys(s3Servers) as (keyof typeof s3Servers)[]

const toMd5 = (text: string) => createHash('md5').update(text).digest('base64')

for (const name of names) {
  describeWith(name, `s3: ${name}`, () => {
    let s3: S3ForTest

    beforeAll(async () => {
      s3 = await S3ForTest.start(name, patientSilenceMs)
    })

    afterAll(() => s3.dispose())

    objectsContract(() => s3.open())

    async function openLocked(): Promise<{ objects: Objects; hand: Hand; version: string }> {
      const config = s3.config()
      const objects = await s3.open(config)
      await objects.put(key, xml('<Invoice/>'))
      const hand = s3.hand(config.bucket)
      return { objects, hand, version: await hand.onlyVersion(key) }
    }

    function retention(mode: string, until: string) {
      const body = `<Retention xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Mode>${mode}</Mode><RetainUntilDate>${until}</RetainUntilDate></Retention>`
      return { method: 'PUT', key, body, headers: { 'content-md5': toMd5(body) } }
    }

    it('locks for ten full years, from the first moment on', async () => {
      const { hand, version } = await openLocked()
      expect(await hand.readLock(key, version)).toEqual({ mode: 'COMPLIANCE', until: tenYearsOn })
    })

    it('keeps a version that its owner tries to delete, and its bytes', async () => {
      const { objects, hand, version } = await openLocked()
      const query = `versionId=${version}`
      const bypass = { 'x-amz-bypass-governance-retention': 'true' }
      for (const headers of [{}, bypass]) {
        const { status } = await hand.do({ method: 'DELETE', key, query, headers })
        expect([400, 403]).toContain(status)
      }
      expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
    })

    it('keeps a lock that its owner tries to shorten or to weaken', async () => {
      const { hand, version } = await openLocked()
      const query = `retention&versionId=${version}`
      const bypass = { 'x-amz-bypass-governance-retention': 'true' }
      for (const options of [
        retention('COMPLIANCE', '2027-01-01T00:00:00Z'),
        retention('GOVERNANCE', '2037-01-01T00:00:00Z'),
      ]) {
        for (const headers of [options.headers, { ...options.headers, ...bypass }]) {
          const { status } = await hand.do({ ...options, query, headers })
          expect([400, 403]).toContain(status)
        }
      }
      expect(await hand.readLock(key, version)).toEqual({ mode: 'COMPLIANCE', until: tenYearsOn })
    })

    it('locks also where the bucket would lock for less', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      const hand = s3.hand(config.bucket)
      const body =
        '<ObjectLockConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention><Mode>GOVERNANCE</Mode><Days>1</Days></DefaultRetention></Rule></ObjectLockConfiguration>'
      const headers = { 'content-md5': toMd5(body) }
      const set = await hand.do({ method: 'PUT', query: 'object-lock', body, headers })
      expect(set.status).toBe(200)
      await objects.put(key, xml('<Invoice/>'))
      const version = await hand.onlyVersion(key)
      expect(await hand.readLock(key, version)).toEqual({ mode: 'COMPLIANCE', until: tenYearsOn })
    })

    it('keeps an invoice dated long ago as if it were dated today', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      const old = { ...xml('<Invoice/>'), retainUntil: new Date('2020-12-31T23:59:59.999Z') }
      await objects.put(key, old)
      await objects.put(key, old)
      expect(await objects.get(key)).toEqual(old)
      const hand = s3.hand(config.bucket)
      const { mode, until } = await hand.readLock(key, await hand.onlyVersion(key))
      expect(mode).toBe('COMPLIANCE')
      expect(until?.getUTCFullYear()).toBe(new Date().getUTCFullYear() + 11)
    })

    it('stores dates up to the last possible year', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      const last = {
        ...xml('<Invoice/>'),
        retainUntil: computeRetention({ invoiceDate: '9999-12-31' }),
      }
      await objects.put(key, last)
      expect(await objects.get(key)).toEqual(last)
      const hand = s3.hand(config.bucket)
      const lock = await hand.readLock(key, await hand.onlyVersion(key))
      expect(lock).toEqual({ mode: 'COMPLIANCE', until: new Date('9999-01-01T00:00:00Z') })
    })

    it('makes no second version of the same bytes', async () => {
      const { objects, hand, version } = await openLocked()
      await objects.put(key, xml('<Invoice/>'))
      await expect(objects.put(key, xml('<Other/>'))).rejects.toThrow(ObjectTaken)
      expect(await hand.onlyVersion(key)).toBe(version)
    })

    it('its checks store nothing', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      await objects.check()
      expect(await s3.hand(config.bucket).versions()).toEqual([])
    })

    it('reads through a delete marker, and adds one version after it at most', async () => {
      const { objects, hand, version } = await openLocked()
      await hand.do({ method: 'DELETE', key })
      expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
      await objects.put(key, xml('<Invoice/>'))
      await expect(objects.put(key, xml('<Other/>'))).rejects.toThrow(ObjectTaken)
      await hand.do({ method: 'DELETE', key })
      await objects.add(key, xml('<Other/>'))
      const versions = (await hand.versions(key)).filter((each) => !each.isDeleteMarker)
      expect(versions.at(-1)?.versionId).toBe(version)
      expect(versions.length).toBeLessThanOrEqual(2)
      expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
    })

    it('stores an invoice by five requests: its XML read back, the PDF and the QR code trusted', async () => {
      const { objects, hand } = await openLocked()
      const requests = jest.spyOn(http, 'request')
      try {
        await objects.put('org-1/invoice-2/signed.xml', xml('<Invoice n="2"/>'))
        expect(requests).toHaveBeenCalledTimes(3)
        await objects.add('org-1/invoice-2/invoice.pdf', xml('%PDF'))
        await objects.add('org-1/invoice-2/qr.png', xml('PNG'))
        expect(requests).toHaveBeenCalledTimes(5)
      } finally {
        requests.mockRestore()
      }
      for (const name of ['signed.xml', 'invoice.pdf', 'qr.png']) {
        const stored = `org-1/invoice-2/${name}`
        const lock = await hand.readLock(stored, await hand.onlyVersion(stored))
        expect(lock).toEqual({ mode: 'COMPLIANCE', until: tenYearsOn })
      }
    })

    it('reads back the first object after a start, whatever it is', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      const requests = jest.spyOn(http, 'request')
      try {
        await objects.add('org-1/invoice-1/invoice.pdf', xml('%PDF'))
        expect(requests.mock.calls.length).toBeGreaterThanOrEqual(3)
      } finally {
        requests.mockRestore()
      }
    })

    it('locks objects found without a lock, also when it trusts the server', async () => {
      const { objects, hand } = await openLocked()
      const pdf = 'org-1/invoice-1/invoice.pdf'
      await hand.put(pdf, '%PDF')
      expect(await objects.add(pdf, xml('%PDF'))).toBe(true)
      const version = await hand.onlyVersion(pdf)
      expect(await hand.readLock(pdf, version)).toEqual({ mode: 'COMPLIANCE', until: tenYearsOn })
    })

    it('never locks other bytes that it finds, whether it trusts the server or not', async () => {
      const config = s3.config()
      const started = await s3.open(config)
      const hand = s3.hand(config.bucket)
      const keys = ['org-1/invoice-1/invoice.pdf', 'org-1/invoice-2/invoice.pdf'] as const
      for (const pdf of keys) await hand.put(pdf, '%PDF by hand')
      expect(await started.add(keys[0], xml('%PDF'))).toBe(false)
      await started.put(key, xml('<Invoice/>'))
      expect(await started.add(keys[1], xml('%PDF'))).toBe(false)
      for (const pdf of keys) {
        expect(await hand.readLock(pdf, await hand.onlyVersion(pdf))).toEqual({})
        expect((await started.get(pdf))?.bytes.toString()).toBe('%PDF by hand')
      }
    })

    it('returns the first of many versions, over several pages', async () => {
      const { objects, hand } = await openLocked()
      const others = Array.from({ length: 210 }, (_, n) => n)
      for (let at = 0; at < others.length; at += 30) {
        await Promise.all(others.slice(at, at + 30).map((n) => hand.put(key, `<Other n="${n}"/>`)))
      }
      await hand.put(`${key}.bak`, '<Neighbour/>')
      expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
      await expect(objects.put(key, xml('<Other n="7"/>'))).rejects.toThrow(ObjectTaken)
    })

    it('locks what someone copied into the bucket without a lock', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      const hand = s3.hand(config.bucket)
      await hand.put(key, '<Invoice/>')
      const version = await hand.onlyVersion(key)
      expect(await hand.readLock(key, version)).toEqual({})
      await objects.put(key, xml('<Invoice/>'))
      expect(await hand.readLock(key, version)).toEqual({ mode: 'COMPLIANCE', until: tenYearsOn })
    })

    it('never answers with bytes that are not those that were put', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      const hand = s3.hand(config.bucket)
      await hand.put(key, '<Invoicf/>', { 'x-amz-meta-sha256': xml('<Invoice/>').sha256 })
      await expect(objects.get(key)).rejects.toThrow(/damaged/)
      await expect(objects.put(key, xml('<Invoice/>'))).rejects.toThrow(/damaged/)
    })

    it('refuses an upload that broke on its way', async () => {
      const { hand } = await openLocked()
      const sum = Buffer.from(xml('<Invoice/>').sha256, 'hex').toString('base64')
      const { status } = await hand.put('org-1/b/x', '<Invoi', { 'x-amz-checksum-sha256': sum })
      expect(status).toBe(400)
      expect(await hand.versions('org-1/b/x')).toEqual([])
    })
  })
}
