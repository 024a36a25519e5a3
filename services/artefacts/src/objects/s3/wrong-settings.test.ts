import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '@einvoicing/runtime/clock'
import { SettingsError } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import type { S3ObjectsConfig } from '../../config'
import { S3ForTest, s3Servers } from '../../testdata/s3-servers'
import { xml } from '../objects.contract'
import { openS3Objects } from './s3-objects'

const key = 'org-1/invoice-1/signed.xml'
const names = Object.keys(s3Servers) as (keyof typeof s3Servers)[]

/** What an operator reads when the start ends: one sentence, and no secret. */
async function findProblem(config: S3ObjectsConfig): Promise<string> {
  const opened = openS3Objects(config, { now: systemClock, log: createLog('silent') })
  const error: unknown = await opened
    .then((objects) => objects.close())
    .catch((err: unknown) => err)
  expect(error).toBeInstanceOf(SettingsError)
  const { message } = error as SettingsError
  expect(message).not.toContain('secret-of')
  expect(message).not.toContain('\n')
  return message
}

for (const name of names) {
  describeWithOwn(name, `s3, wrong settings: ${name}`, () => {
    let s3: S3ForTest

    beforeAll(async () => {
      s3 = await S3ForTest.start(name)
    })

    afterAll(() => s3.dispose())

    it('exits at start for a wrong secret, key or region, naming the setting', async () => {
      const secretKeyFile = await s3.writeSecret('secret-of-another')
      expect(await findProblem(s3.config({ secretKeyFile }))).toMatch(/^S3_SECRET_KEY_FILE /)
      expect(await findProblem(s3.config({ accessKey: 'stranger' }))).toMatch(
        /^S3_ACCESS_KEY: .*stranger/,
      )
      expect(await findProblem(s3.config({ region: 'eu-west-3' }))).toMatch(
        /^S3_REGION is eu-west-3, .*set it to us-east-1/,
      )
    })

    it('exits at start for a missing or empty secret file', async () => {
      expect(await findProblem(s3.config({ secretKeyFile: '/nowhere/s3' }))).toMatch(
        /^S3_SECRET_KEY_F/,
      )
      const empty = await s3.writeSecret('\n')
      expect(await findProblem(s3.config({ secretKeyFile: empty }))).toMatch(
        /^S3_SECRET_KEY_FILE.*empty/,
      )
    })

    it.each(['never', 'Enabled', 'Suspended'])(
      'ends the start by a bucket without object lock, versions %s, and leaves it alone',
      async (versions) => {
        const config = s3.config()
        const hand = s3.hand(config.bucket)
        await hand.do({ method: 'PUT' })
        for (const status of versions === 'Suspended' ? ['Enabled', versions] : [versions]) {
          const body = `<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>${status}</Status></VersioningConfiguration>`
          if (status !== 'never') await hand.do({ method: 'PUT', query: 'versioning', body })
        }
        const problem = await findProblem(config)
        expect(problem).toMatch(/^S3_BUCKET: .*object lock/)
        expect(problem).toContain(config.bucket)
        expect(await hand.versions()).toEqual([])
      },
    )

    it('makes the bucket where there is none, also when several processes start at once', async () => {
      const config = s3.config()
      const all = await Promise.all(Array.from({ length: 6 }, () => s3.open(config)))
      await Promise.all(all.map((objects) => objects.put(key, xml('<Invoice/>'))))
      await s3.hand(config.bucket).onlyVersion(key)
    })
  })
}

describe('s3, what answers there', () => {
  let server: HttpServer
  let answer: { status: number; body: string; type?: string }
  let requests: string[]

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(`${request.method ?? ''} ${request.url ?? ''}`)
      const { status, body, type = 'application/xml' } = answer
      response.writeHead(status, { 'content-type': type }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })

  beforeEach(() => {
    requests = []
  })

  afterAll(() => server.close())

  const config = (): S3ObjectsConfig => ({
    kind: 's3',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'archive',
    region: 'us-east-1',
    accessKey: 'einvoicing',
    secretKeyFile: __filename,
  })
  const open = () => openS3Objects(config(), { now: systemClock, log: createLog('silent') })
  const html = '<!doctype html><html><body><p>Hello<br></body></html>'
  const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`

  it.each([200, 400, 404])('exits at start for an HTML page with status %i', async (status) => {
    answer = { status, body: html, type: 'text/html' }
    expect(await findProblem(config())).toMatch(/^S3_URL: .*is not an S3 server/)
  })

  it.each([
    ['AccessDenied', 403, /^S3_ACCESS_KEY: .*s3:PutObjectRetention/],
    ['RequestTimeTooSkewed', 403, /clock/],
    ['NotImplemented', 501, /^S3_URL: .*no object lock/],
    ['PermanentRedirect', 301, /^S3_REGION/],
  ])('ends the start by %s', async (code, status, sentence) => {
    answer = { status, body: error(code) }
    expect(await findProblem(config())).toMatch(sentence)
    expect(requests.filter((each) => each.startsWith('PUT'))).toEqual([])
  })

  it.each([500, 502, 503, 504, 507, 429])('waits for a server that answers %i', async (status) => {
    answer = { status, body: html, type: 'text/html' }
    const objects = await open()
    await expect(objects.check()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    // More often than there are connections: none is left open.
    const many = Array.from({ length: 70 }, () => objects.get(key))
    for (const each of await Promise.allSettled(many)) {
      expect(each).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } })
    }
    expect(requests.filter((each) => each.startsWith('PUT'))).toEqual([])
    await objects.close()
  })

  it('exits at start for plain HTTP instead of TLS', async () => {
    const { url, ...rest } = config()
    const problem = await findProblem({ ...rest, url: url.replace('http:', 'https:') })
    expect(problem).toMatch(/^S3_URL: no trusted TLS/)
  })
})
