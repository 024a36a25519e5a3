/**
 * Memory has a bound in sum: clients that send bodies and never end them, and thousands of bad
 * requests, leave space for everybody else.
 */

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { eventually } from '@einvoicing/servers/eventually'
import { send } from '../stack/http'
import { anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { startStandalone, type Standalone } from '../stack/standalone'

const bodyBytes = 2 * 1024 * 1024
const residentMaxMib = 900
// Together half as much again as may be held; small ones need the number.
const largeSockets = 700
const smallSockets = 1_500
const badRequests = 2_000
const leftBehindMaxMib = 150

describe('incomplete bodies', () => {
  let stack: Standalone
  let greedy: Organization
  let other: Organization
  beforeAll(async () => {
    stack = await startStandalone()
    greedy = await newOrganization(stack)
    other = await newOrganization(stack)
  })
  afterAll(() => stack.dispose())

  test(`${largeSockets} of 2 MiB by one API key`, async () => {
    const headers = [`Authorization: Bearer ${greedy.key.key}`]
    const { open, mostMib, refused } = await crowd('/v1/invoices', headers, bodyBytes, largeSockets)
    expect(mostMib).toBeLessThan(residentMaxMib)
    expect(refused).toBeGreaterThan(0)
    // Its own small requests are served too: what is taken away is the largest.
    expect((await greedy.invoices.created()).status).toBe('SIGNED')
    open.forEach((socket) => socket.destroy())
  }, 120_000)

  test.each([
    [largeSockets, 'of 2 MiB', bodyBytes],
    [smallSockets, 'of 16 KiB', 16 * 1024],
  ])(
    '%i %s by strangers who sign in',
    async (sockets, _, bytes) => {
      const headers = ['X-Requested-With: dashboard']
      const { open, mostMib } = await crowd('/dashboard/api/session', headers, bytes, sockets)
      expect(mostMib).toBeLessThan(residentMaxMib)
      const { email, password } = other.session
      const signedIn = await other.session.call('POST', '/session', { body: { email, password } })
      expect(signedIn.status).toBe(200)
      open.forEach((socket) => socket.destroy())
    },
    120_000,
  )

  /** All but the last byte, while a good client of another organization is served. */
  async function crowd(path: string, headers: readonly string[], bytes: number, sockets: number) {
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${bytes}`,
      ...headers,
      '',
      '',
    ].join('\r\n')
    const { hostname, port } = new URL(stack.baseUrl)
    const body = Buffer.alloc(bytes - 1, ' ')
    let refused = 0
    let mostMib = 0
    const open: net.Socket[] = []
    const sending = (async () => {
      for (let at = 0; at < sockets; at += 1) {
        const socket = net.connect(Number(port), hostname)
        socket.on('error', () => undefined)
        socket.on('data', (answer: Buffer) => {
          if (/^HTTP\/1\.1 (503|413) /.test(answer.toString('latin1'))) refused += 1
        })
        await once(socket, 'connect')
        socket.write(head)
        socket.write(body)
        open.push(socket)
        if (at % 50 === 0) mostMib = Math.max(mostMib, await residentMib())
      }
    })()
    while (open.length < sockets) {
      expect((await other.invoices.created()).status).toBe('SIGNED')
      await delay(50)
    }
    await sending
    for (let round = 0; round < 20; round += 1) {
      mostMib = Math.max(mostMib, await residentMib())
      expect((await other.invoices.created()).status).toBe('SIGNED')
      await delay(100)
    }
    process.stderr.write(`${path} ${bytes}: ${mostMib} MiB, ${refused} refused\n`)
    return { open, mostMib, refused }
  }

  const seed = drawSeed('half-sent')
  test(`${badRequests} bad requests leave no more than ${leftBehindMaxMib} MiB (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const bodies = badBodies()
    const before = await residentMib()
    for (let at = 0; at < badRequests; at += 30) {
      const pending = Array.from({ length: 30 }, () => {
        const bad = random.pick(bodies)
        return send('POST', greedy.invoices.url, { key: greedy.key.key, ...bad })
      })
      for (const { status } of await Promise.all(pending)) {
        expect([400, 413, 415, 503]).toContain(status)
      }
    }
    await eventually(async () => {
      expect((await residentMib()) - before).toBeLessThan(leftBehindMaxMib)
    }, 60_000)
  }, 300_000)

  async function residentMib(): Promise<number> {
    const status = await readFile(`/proc/${stack.pid()}/status`, 'utf8')
    return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024)
  }
})

interface BadBody {
  body: string | Buffer
  headers?: Record<string, string>
}

/** Most of them small: the large ones take the service long. */
function badBodies(): BadBody[] {
  const text = JSON.stringify(anInvoice())
  const spaces = Buffer.alloc(bodyBytes, ' ')
  const gzip = { 'Content-Encoding': 'gzip' }
  const small = [
    { body: text.slice(0, -1) },
    { body: text, headers: gzip },
    { body: text, headers: { 'Content-Encoding': 'zstd' } },
    { body: Buffer.concat([gzipSync(text), Buffer.alloc(9)]), headers: gzip },
    { body: gzipSync(Buffer.alloc(8 * bodyBytes)), headers: gzip },
  ]
  const large = [
    { body: spaces },
    { body: Buffer.concat([spaces, spaces]) },
    { body: `{"lines":[${'{},'.repeat(400_000)}{}]}` },
    { body: `{"lines":[${'['.repeat(300_000)}` },
    { body: brotliCompressSync(spaces), headers: { 'Content-Encoding': 'br' } },
  ]
  return [...small, ...small, ...small, ...large]
}
