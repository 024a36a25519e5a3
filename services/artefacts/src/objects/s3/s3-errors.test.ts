import { createHash } from 'node:crypto'
import { SettingsError } from '@einvoicing/runtime/env'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { S3ForTest, s3Servers } from '../../testdata/s3-servers'
import { xml } from '../objects.contract'
import type { Objects, StoredObject } from '../objects'

const key = 'org-1/invoice-1/signed.xml'
const away = { code: 'SERVICE_UNAVAILABLE' }
const names = Object.keys(s3Servers) as (keyof typeof s3Servers)[]

/** Four million bytes that no two objects share. */
function large(seed: string): StoredObject {
  const line = createHash('sha256').update(seed).digest('hex')
  return xml(`<Invoice>${line.repeat(60_000)}</Invoice>`)
}

for (const name of names) {
  describeWithOwn(name, `s3, errors: ${name}`, () => {
    let s3: S3ForTest

    beforeAll(async () => {
      s3 = await S3ForTest.start(name)
    })

    afterAll(() => s3.dispose())

    it('opens without the server, and creates and checks the bucket once it is available', async () => {
      await s3.server.kill9()
      const config = s3.config()
      const objects = await s3.open(config)
      await expect(objects.check()).rejects.toMatchObject(away)
      await expect(objects.put(key, xml('<Invoice/>'))).rejects.toMatchObject(away)
      await expect(objects.get(key)).rejects.toMatchObject(away)
      await s3.comeBack()
      expect(await objects.get(key)).toBeUndefined()
      await objects.put(key, xml('<Invoice/>'))
      await objects.check()
      const hand = s3.hand(config.bucket)
      expect(await hand.readLock(key, await hand.onlyVersion(key))).toMatchObject({
        mode: 'COMPLIANCE',
      })
    })

    it('reports what is wrong with an unusable server', async () => {
      await s3.server.kill9()
      const bucket = `plain-${Date.now()}`
      const objects = await s3.open(s3.config({ bucket }))
      await s3.comeBack()
      const hand = s3.hand(bucket)
      await hand.do({ method: 'PUT' })
      for (const work of [() => objects.put(key, xml('<Invoice/>')), () => objects.check()]) {
        const refused = await work().catch((err: unknown) => err)
        expect(refused).toMatchObject(away)
        expect((refused as Error).cause).toBeInstanceOf(SettingsError)
        expect(((refused as Error).cause as Error).message).toMatch(/^S3_BUCKET: .*object lock/)
      }
      expect(await hand.versions()).toEqual([])
    })

    it('keeps objects whole or not at all when the server is killed under them', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      const stored = new Set<number>()
      const put = async (n: number) => {
        await objects.put(`org-1/invoice-${n}/signed.xml`, large(String(n)))
        stored.add(n)
      }
      const writers = [0, 1, 2, 3].map(async (first) => {
        for (let n = first; n < 32; n += 4) await put(n)
      })
      while (stored.size === 0) await new Promise((resolve) => setTimeout(resolve, 1))
      await s3.server.kill9()
      for (const writer of await Promise.allSettled(writers)) {
        expect(writer).toMatchObject({ status: 'rejected', reason: away })
      }
      expect(stored.size).toBeLessThan(32)
      await s3.comeBack()
      for (let n = 0; n < 8; n += 1) await proveWholeOrAbsent(objects, n, stored.has(n))
      // What the kill cut short is put again, and is there once.
      const hand = s3.hand(config.bucket)
      for (let n = 0; n < 8; n += 1) {
        await put(n)
        const name = `org-1/invoice-${n}/signed.xml`
        const lock = await hand.readLock(name, await hand.onlyVersion(name))
        expect(lock).toMatchObject({ mode: 'COMPLIANCE' })
      }
    })

    async function proveWholeOrAbsent(objects: Objects, n: number, wasStored: boolean) {
      const found = await objects.get(`org-1/invoice-${n}/signed.xml`)
      // `get` has compared the bytes with their SHA-256.
      if (found || wasStored) expect(found?.sha256).toBe(large(String(n)).sha256)
    }

    it('does not wait for a paused server, and continues when it resumes', async () => {
      const objects = await s3.open()
      await objects.put(key, xml('<Invoice/>'))
      await s3.server.pause()
      const since = Date.now()
      const pending = [objects.get(key), objects.check(), objects.put(`${key}.x`, large('still'))]
      for (const each of await Promise.allSettled(pending)) {
        expect(each).toMatchObject({ reason: away })
      }
      expect(Date.now() - since).toBeLessThan(25_000)
      await s3.server.resume()
      expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
      await objects.put(`${key}.x`, large('still'))
    })

    it('continues over a restart without a failed call', async () => {
      const objects = await s3.open()
      await objects.put(key, xml('<Invoice/>'))
      await s3.server.stop()
      await s3.comeBack()
      expect(await objects.get(key)).toEqual(xml('<Invoice/>'))
      await objects.put('org-1/invoice-2/signed.xml', xml('<Invoice/>'))
    })

    it('reports a lost bucket and does not create another', async () => {
      const config = s3.config()
      const objects = await s3.open(config)
      const hand = s3.hand(config.bucket)
      expect((await hand.do({ method: 'DELETE' })).status).toBe(204)
      for (const work of [() => objects.put(key, xml('<Invoice/>')), () => objects.check()]) {
        const refused = await work().catch((err: unknown) => err)
        expect(refused).toMatchObject(away)
        expect(((refused as Error).cause as Error).message).toMatch(
          /^S3_BUCKET: the bucket \S+ does not exist/,
        )
      }
      expect((await hand.do({ method: 'GET', query: 'versioning' })).status).toBe(404)
    })
  })
}
