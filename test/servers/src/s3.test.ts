import { type Needed, describeWithOwn } from './describe-with'
import { type S3, type S3Options, startMinio, startVersitygw } from './s3'

const kinds: [Needed, (options: S3Options) => Promise<S3>][] = [
  ['minio', startMinio],
  ['versitygw', startVersitygw],
]

describe.each(kinds)('%s', (name, start) => {
  describeWithOwn(name, 'as an S3 server', () => {
    let s3: S3 | undefined
    afterEach(() => s3?.dispose())

    test('starts again on its port, however it ended, and requires credentials', async () => {
      s3 = await start({ secretKey: 'another-secret' })
      const { url } = s3
      const answer = async (withinMs = 30_000) =>
        (await fetch(url, { signal: AbortSignal.timeout(withinMs) })).status
      await s3.kill9()
      await s3.start()
      await s3.pause()
      await expect(answer(500)).rejects.toThrow(/timeout/)
      await s3.resume()
      await s3.stop()
      await s3.start()
      expect(await answer()).toBe(403)
      expect(s3.secretKey).toBe('another-secret')
    })
  })
})
