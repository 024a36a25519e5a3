import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describeWith } from '@einvoicing/servers/describe-with'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'
import type { S3ObjectsConfig } from '../../config'
import { patientSilenceMs, S3ForTest, s3Servers } from '../../testdata/s3-servers'
import { xml } from '../objects.contract'
import { ObjectTaken } from '../objects'

const keys = Array.from({ length: 25 }, (_, n) => `org-1/invoice-${n}/signed.xml`)
const names = Object.keys(s3Servers) as (keyof typeof s3Servers)[]

/** A process of its own that wants every key. */
class Racer {
  readonly name: string
  private readonly child: ChildProcess
  private readonly lines: AsyncIterator<string>

  constructor(config: S3ObjectsConfig, name: string) {
    this.name = name
    const script = path.join(__dirname, '../../testdata/race-for-keys.ts')
    const args = [...runUnbuilt(script), JSON.stringify(config), name]
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const input = this.child.stdout as NodeJS.ReadableStream
    this.lines = createInterface({ input })[Symbol.asyncIterator]()
  }

  async output(): Promise<string | undefined> {
    const line = await this.lines.next()
    return line.done ? undefined : line.value
  }

  put(key: string): Promise<string | undefined> {
    this.child.stdin?.write(`${key}\n`)
    return this.output()
  }

  async end(): Promise<void> {
    this.child.stdin?.end()
    if (this.child.exitCode === null) await once(this.child, 'exit')
  }
}

for (const name of names) {
  describeWith(name, `s3, several processes: ${name}`, () => {
    let s3: S3ForTest

    beforeAll(async () => {
      s3 = await S3ForTest.start(name, patientSilenceMs)
    })

    afterAll(() => s3.dispose())

    it('lets one process win each key, and answers the others with its bytes', async () => {
      const config = s3.config()
      const racers = ['a', 'b', 'c'].map((name) => new Racer(config, name))
      for (const racer of racers) expect(await racer.output()).toBe('ready')
      const objects = await s3.open(config)
      const hand = s3.hand(config.bucket)
      for (const key of keys) {
        const reported = await Promise.all(racers.map((racer) => racer.put(key)))
        expect([...reported].sort()).toEqual(['kept', 'taken', 'taken'])
        const winner = racers[reported.indexOf('kept')]
        expect((await objects.get(key))?.bytes.toString()).toBe(`<Invoice by="${winner?.name}"/>`)
        await hand.onlyVersion(key)
      }
      for (const racer of racers) await racer.end()
    })
  })
}

/** Passes requests on; `before` each that puts an object, something happens in the bucket. */
async function openWire(target: string, before: (key: string) => Promise<void>) {
  const wire = http.createServer((request, response) => {
    const { method, url = '', headers } = request
    const pass = () => {
      const onward = http.request(new URL(url, target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    }
    const [, key] = /^\/[^/]+\/([^?]+)$/.exec(url) ?? []
    if (method === 'PUT' && key !== undefined) void before(key).then(pass)
    else pass()
  })
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`, wire }
}

describeWith('minio', 's3, the condition that failed to hold', () => {
  let s3: S3ForTest
  let wire: http.Server | undefined

  beforeAll(async () => {
    s3 = await S3ForTest.start('minio', patientSilenceMs)
  })

  afterAll(async () => {
    wire?.closeAllConnections()
    wire?.close()
    await s3.dispose()
  })

  it('detects that another was first though the server accepted both', async () => {
    const { bucket } = s3.config()
    const hand = s3.hand(bucket)
    // A delete marker makes the server believe that nothing is there.
    const between = await openWire(s3.server.url, async (key) => {
      await hand.put(key, key.endsWith('same') ? '<Invoice/>' : '<Other/>')
      await hand.do({ method: 'DELETE', key })
    })
    wire = between.wire
    const objects = await s3.open(s3.config({ bucket, url: between.url }))
    const [same, other] = ['org-1/invoice-1/same', 'org-1/invoice-1/other']
    await objects.put(same, xml('<Invoice/>'))
    await expect(objects.put(other, xml('<Invoice/>'))).rejects.toThrow(ObjectTaken)
    const puts = (await hand.versions()).filter((each) => !each.isDeleteMarker)
    expect(puts).toHaveLength(4)
    expect(await objects.get(same)).toEqual(xml('<Invoice/>'))
    expect((await objects.get(other))?.bytes.toString()).toBe('<Other/>')
    const first = puts.filter(({ name }) => name === same).at(-1)
    const lock = await hand.readLock(same, first?.versionId ?? '')
    expect(lock).toMatchObject({ mode: 'COMPLIANCE' })
  })
})
