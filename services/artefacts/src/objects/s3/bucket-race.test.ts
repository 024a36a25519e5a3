import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startMinio, type S3 } from '@einvoicing/servers/s3'
import { prepareBucket } from './bucket'
import { S3Connection } from './connection'

describeWithOwn('minio', 'a bucket that several processes find missing at once', () => {
  let server: S3
  beforeAll(async () => {
    server = await startMinio({ accessKey: 'einvoicing', secretKey: 'einvoicing-secret' })
  })
  afterAll(() => server.dispose())

  it('is accepted by all of them', async () => {
    const { url, accessKey, secretKey, region } = server
    const log = createLog('silent')
    const failed: string[] = []
    for (let at = 0; at < 30; at += 1) {
      const place = { url, accessKey, region, bucket: `raced-${at}` }
      const each = Array.from({ length: 4 }, () => new S3Connection(place, secretKey))
      const all = await Promise.allSettled(each.map((connection) => prepareBucket(connection, log)))
      for (const one of all) if (one.status === 'rejected') failed.push(String(one.reason))
      for (const connection of each) connection.close()
    }
    expect(failed).toEqual([])
  }, 60_000)
})
