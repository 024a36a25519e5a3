import { execFile } from 'node:child_process'
import { promises as fs } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '@einvoicing/runtime/clock'
import { describeWith } from '@einvoicing/servers/describe-with'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'
import { openFilesystemObjects } from '../objects/filesystem/filesystem-objects'
import type { Objects } from '../objects/objects'
import { numberedKey, numberedObject } from '../testdata/numbered-objects'
import { S3ForTest, s3Servers } from '../testdata/s3-servers'
import { verifyArchive } from './verify-archive'

interface Reported {
  status: number | null
  output: string
  errors: string
}

function verify(settings: Record<string, string>, ...words: readonly string[]): Promise<Reported> {
  const script = path.join(__dirname, '../../../../deploy/admin/src/main.ts')
  const env = { PATH: process.env['PATH'] ?? '', ...settings }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...runUnbuilt(script), 'archive', 'verify', ...words],
      { env },
      (_, output, errors) => resolve({ status: child.exitCode, output, errors }),
    )
  })
}

/** A server that answers some requests itself, by their address. */
async function openWire(
  target: string,
  findAnswer: (url: string) => { status: number; body?: string } | undefined,
) {
  const wire = http.createServer((request, response) => {
    const { method, url = '', headers } = request
    const own = findAnswer(url)
    if (own) {
      response.writeHead(own.status).end(own.body)
      return
    }
    const onward = http.request(new URL(url, target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  const close = () => {
    wire.closeAllConnections()
    wire.close()
  }
  return { S3_URL: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`, close }
}

async function putMany(objects: Objects, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n)
  await Promise.all(numbers.map((n) => objects.put(numberedKey(n), numberedObject(n))))
}

describe('verifying an archive folder', () => {
  let folder: string
  const files = async () => {
    const found = await fs.readdir(path.join(folder, 'artefacts'), { recursive: true })
    return found.map((name) => path.join(folder, 'artefacts', name)).sort()
  }

  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'artefacts-verify-'))
    const objects = await openFilesystemObjects(path.join(folder, 'artefacts'), systemClock)
    await putMany(objects, 5)
  })

  afterAll(() => fs.rm(folder, { recursive: true, force: true }))

  it('counts intact ones', async () => {
    const reported = await verify({ DATA_DIR: folder })
    expect(reported).toEqual({ status: 0, output: '5 objects read, 0 damaged\n', errors: '' })
  })

  it('continues after a key', async () => {
    const config = { kind: 'filesystem', directory: path.join(folder, 'artefacts') } as const
    const listKeys = async (after?: string) => {
      const keys: string[] = []
      for await (const { key } of verifyArchive(config, after)) keys.push(key)
      return keys
    }
    const all = await listKeys()
    expect(await listKeys(all[1])).toEqual(all.slice(2))
    const { output } = await verify({ DATA_DIR: folder }, '--after', all[3] ?? '')
    expect(output).toBe('1 objects read, 0 damaged\n')
  })

  it('names what is damaged, what lost a file too', async () => {
    const all = await files()
    const bytes = all.filter((file) => file.endsWith('signed.xml/signed.xml'))
    await fs.chmod(bytes[0] as string, 0o644)
    await fs.writeFile(bytes[0] as string, '<Invoicf/>')
    await fs.rm(bytes[1] as string)
    await fs.rm(path.join(path.dirname(bytes[2] as string), 'OBJECT.json'))
    const reported = await verify({ DATA_DIR: folder })
    expect(reported.status).toBe(1)
    expect(reported.output.match(/is damaged/g)).toHaveLength(3)
    expect(reported.output).toMatch(/^5 objects read, 3 damaged$/m)
  })

  it('says in a sentence that there is no archive', async () => {
    const reported = await verify({ DATA_DIR: path.join(folder, 'elsewhere') })
    expect(reported.status).toBe(2)
    expect(reported.errors).toMatch(/no such file or directory/)
    expect(reported.errors.trim()).not.toContain('\n')
  })
})

for (const name of Object.keys(s3Servers) as (keyof typeof s3Servers)[]) {
  describeWith(name, `verifying an archive on ${name}`, () => {
    let s3: S3ForTest

    beforeAll(async () => {
      s3 = await S3ForTest.start(name)
    })

    afterAll(() => s3.dispose())

    const settingsFor = (bucket: string) => {
      const { url, accessKey, secretKeyFile } = s3.config()
      return {
        S3_URL: url,
        S3_BUCKET: bucket,
        S3_ACCESS_KEY: accessKey,
        S3_SECRET_KEY_FILE: secretKeyFile,
      }
    }

    it('counts each key once, over pages, and names what is damaged or not locked', async () => {
      const config = s3.config()
      await putMany(await s3.open(config), 130)
      const hand = s3.hand(config.bucket)
      const settings = settingsFor(config.bucket)
      await hand.do({ method: 'DELETE', key: numberedKey(3) })
      await hand.put(numberedKey(4), '<Later/>')
      const whole = await verify(settings)
      expect(whole).toEqual({ status: 0, output: '130 objects read, 0 damaged\n', errors: '' })
      await hand.put('org-1/stranger/signed.xml', '<Invoice/>')
      await hand.put('org-1/liar/signed.xml', '<Invoice/>', { 'x-amz-meta-sha256': 'ab' })
      const reported = await verify(settings)
      expect(reported.status).toBe(1)
      expect(reported.output).toMatch(/org-1\/stranger\/signed.xml, .* is not locked/)
      expect(reported.output).toMatch(/org-1\/liar\/signed.xml, .* is damaged/)
      expect(reported.output).toMatch(/^132 objects read, 2 damaged$/m)
    })

    it('waits for a server that is unavailable for a moment', async () => {
      const config = s3.config()
      await putMany(await s3.open(config), 20)
      let isBusy = true
      const wire = await openWire(s3.server.url, (url) => {
        if (!isBusy || !url.includes(`/${numberedKey(2)}?`)) return undefined
        isBusy = false
        return { status: 503 }
      })
      const reported = await verify({ ...settingsFor(config.bucket), S3_URL: wire.S3_URL })
      wire.close()
      expect(reported).toEqual({ status: 0, output: '20 objects read, 0 damaged\n', errors: '' })
    })

    it('says how to continue where it could not', async () => {
      const config = s3.config()
      await putMany(await s3.open(config), 20)
      const body = '<Error><Code>AccessDenied</Code><Message>Not now</Message></Error>'
      const wire = await openWire(s3.server.url, (url) =>
        url.includes(`/${numberedKey(2)}?`) ? { status: 403, body } : undefined,
      )
      const settings = settingsFor(config.bucket)
      const { status, errors } = await verify({ ...settings, S3_URL: wire.S3_URL })
      wire.close()
      expect(status).toBe(2)
      // Read eight at a time: the invoice of the eighth may have more artefacts.
      const after = numberedKey(14)
      expect(errors).toMatch(
        `stopped after 8 objects, 0 damaged; to continue: npm run admin -- archive verify --after ${after}\n`,
      )
      expect(errors).toMatch(/^S3_ACCESS_KEY: .* lacks permissions/m)
      const { output } = await verify(settings, '--after', after)
      expect(output).toBe('13 objects read, 0 damaged\n')
    })

    it('makes no bucket, and says that there is none', async () => {
      const { bucket } = s3.config()
      const reported = await verify(settingsFor(bucket))
      expect(reported.status).toBe(2)
      expect(reported.errors).toMatch(/^S3_BUCKET: the bucket .* does not exist .*\n$/)
      const { status } = await s3.hand(bucket).do({ method: 'GET', query: 'versioning' })
      expect(status).toBe(404)
    })
  })
}
