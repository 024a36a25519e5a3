import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describeWith } from '@einvoicing/servers/describe-with'
import type { S3ObjectsConfig } from '../config'
import { S3ForTest, s3Servers } from '../testdata/s3-servers'

const keys = Array.from({ length: 40 }, (_, n) => `org-1/invoice-${n}/signed.xml`)
const names = Object.keys(s3Servers) as (keyof typeof s3Servers)[]

/** A process of its own that wants every key. */
class Racer {
  readonly name: string
  private readonly child: ChildProcess
  private readonly lines: AsyncIterator<string>

  constructor(config: S3ObjectsConfig, name: string) {
    this.name = name
    const script = path.join(__dirname, '../testdata/race-for-keys.ts')
    const hook = path.join(__dirname, '../testdata/unbuilt.cjs')
    const args = ['--require', hook, script, JSON.stringify(config), name]
    this.child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    const input = this.child.stdout as NodeJS.ReadableStream
    this.lines = createInterface({ input })[Symbol.asyncIterator]()
  }

  async says(): Promise<string | undefined> {
    const line = await this.lines.next()
    return line.done ? undefined : line.value
  }

  put(key: string): Promise<string | undefined> {
    this.child.stdin?.write(`${key}\n`)
    return this.says()
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
      s3 = await S3ForTest.start(name)
    })

    afterAll(() => s3.dispose())

    it('lets one process win each key, tells the others, and answers with its bytes', async () => {
      const config = s3.config()
      const racers = ['a', 'b', 'c'].map((name) => new Racer(config, name))
      for (const racer of racers) expect(await racer.says()).toBe('ready')
      const objects = await s3.open(config)
      const hand = s3.hand(config.bucket)
      for (const key of keys) {
        const told = await Promise.all(racers.map((racer) => racer.put(key)))
        expect([...told].sort()).toEqual(['kept', 'taken', 'taken'])
        const winner = racers[told.indexOf('kept')]
        expect((await objects.get(key))?.bytes.toString()).toBe(`<Invoice by="${winner?.name}"/>`)
        await hand.onlyVersion(key)
      }
      for (const racer of racers) await racer.end()
    })
  })
}
