import net from 'node:net'
import { toApiKey, digestApiKey } from '@einvoicing/access/api-key'
import { metrics } from '@einvoicing/runtime/metrics'
import { eventually } from '@einvoicing/servers/eventually'
import type { Service } from '@einvoicing/rpc/call'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { Gateway } from '../service'
import { openForTest, postInvoice, simpleInvoice } from '../testdata/open-gateway'
import { apiKey, smallInvoices, smallOrganizations } from '../testdata/small-services'

const mebibyte = 1024 * 1024
/** That of the largest original: the kernel does not take all of it. */
const answerBytes = 14 * mebibyte
/** The first that is created has this id. */
const xmlPath = '/v1/invoices/00000000-0000-4000-8000-000000000001/xml'
const sha256 = 'a'.repeat(64)
const otherKey = toApiKey('b'.repeat(43))

let gateway: Gateway
let xmlBytes: number
let created: number
let isCreationHeld: boolean
let sockets: net.Socket[]

beforeAll(async () => {
  const small = smallInvoices()
  const invoices: typeof small = {
    ...small,
    createInvoice: async (...args) => {
      created += 1
      await eventually(() => expect(isCreationHeld).toBe(false))
      return { ...(await small.createInvoice(...args)), note: 'n'.repeat(answerBytes) }
    },
    readSignedXml: async () => ({
      xml: Buffer.alloc(xmlBytes, 'x'),
      sha256,
      neverSent: false,
    }),
  }
  const organizations = withOtherKey(smallOrganizations())
  gateway = await openForTest({ RATE_LIMIT_PER_MINUTE: '100000' }, { invoices, organizations })
  reset()
  await postInvoice(gateway, simpleInvoice)
})
afterAll(() => gateway.close())

/** Its keys are looked up one by one. */
function withOtherKey(small: Service<OrganizationsService>): Service<OrganizationsService> {
  const otherOrganizationId = '44444444-4444-4444-8444-444444444444'
  return {
    ...small,
    authenticate: async (request, call) => {
      if (!digestApiKey(otherKey).equals(request.keySha256))
        return small.authenticate(request, call)
      const known = await small.authenticate({ keySha256: digestApiKey(apiKey) }, call)
      return { ...known, organizationId: otherOrganizationId }
    },
  }
}

function reset(): void {
  xmlBytes = answerBytes
  created = 0
  isCreationHeld = false
  sockets = []
}
beforeEach(reset)
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await untilNothingIsHeld()
  await untilMetric('einvoicing_unread_answer_bytes', 0)
})

/** Nothing of the answers is read. */
function send(...requests: string[]): net.Socket {
  const socket = net.connect(gateway.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined).pause()
  socket.write(requests.join(''))
  return socket
}

const times = (count: number, request: string) => Array<string>(count).fill(request)
const get = (path: string, key = apiKey, header = 'X: x') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n${header}\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const creation = post('/v1/invoices', JSON.stringify(simpleInvoice))

async function readMetric(name: string): Promise<number | undefined> {
  return (await metrics.getSingleMetric(name)?.get())?.values[0]?.value
}

const untilMetric = (name: string, value: number) =>
  eventually(async () => expect([name, await readMetric(name)]).toEqual([name, value]), 10_000)
const untilCreated = (count: number) => eventually(() => expect(created).toBe(count), 10_000)

async function untilNothingIsHeld(): Promise<void> {
  await untilMetric('einvoicing_request_body_bytes', 0)
  await untilMetric('einvoicing_requests_in_flight', 0)
}

describe('neither a slot nor the memory of its body is held by a request', () => {
  test('that is answered, whether the answer is read or not', async () => {
    const socket = send(creation)
    await untilCreated(1)
    await untilNothingIsHeld()
    expect(socket.readableFlowing).toBe(false)
  })

  test.each([
    ['a creation', creation],
    ['a body with an error', post('/v1/invoices', '{}')],
    ['a document that the client has', get(xmlPath, apiKey, `If-None-Match: "${sha256}"`)],
    [
      'a body that is not read',
      'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
  ])('whose answer waits behind another of its connection: %s', async (_, request) => {
    send(get(xmlPath), request)
    // The requests in flight are counted every 250 ms.
    await new Promise((resolve) => setTimeout(resolve, 600))
    await untilNothingIsHeld()
  })

  test('whose client left, of all that it sent ahead', async () => {
    isCreationHeld = true
    const socket = send(...times(10, creation))
    await untilCreated(10)
    socket.destroy()
    await untilNothingIsHeld()
    isCreationHeld = false
  })
})

describe('the memory of answers that are not read', () => {
  test('is bounded: the client that holds most loses connections, others read theirs whole', async () => {
    const patient = send(get(xmlPath, otherKey))
    await untilAnswersHeld(1)
    const closedBefore = await readClosed()
    const greedy = times(16, get(xmlPath)).map((request) => send(request))
    await eventually(async () => expect(await readClosed()).toBe(closedBefore + 12), 20_000)
    await untilAnswersHeld(5)
    const read = await Promise.all([patient, ...greedy].map(readToEnd))
    expect(read[0]).toBe(answerBytes)
    expect(read.filter((bytes) => bytes === answerBytes)).toHaveLength(5)
  })

  test('counts all answers of a connection', async () => {
    xmlBytes = 4 * mebibyte
    const closedBefore = await readClosed()
    const [one, many] = [send(get(xmlPath)), send(...times(40, get(xmlPath)))]
    await eventually(async () => expect(await readClosed()).toBe(closedBefore + 1), 20_000)
    expect(await Promise.all([one, many].map(readToEnd))).toEqual([xmlBytes, expect.any(Number)])
    expect([one.destroyed, many.destroyed]).toEqual([false, true])
  })

  test('counts small answers that wait behind a large one', async () => {
    xmlBytes = 5 * mebibyte
    const closedBefore = await readClosed()
    const small = times(1_500, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    times(10, [get(xmlPath), ...small].join('')).forEach((requests) => send(requests))
    await eventually(async () => expect(await readClosed()).toBeGreaterThan(closedBefore), 20_000)
  })

  test('counts no body of an answer to HEAD', async () => {
    send(get(xmlPath), ...times(10, get(xmlPath).replace('GET', 'HEAD')))
    await untilMetric('einvoicing_unread_answer_bytes', answerBytes + 11 * 16 * 1024)
  })

  test('is free when they are read, and their connection stays open', async () => {
    const socket = send(get(xmlPath))
    await untilAnswersHeld(1)
    expect(await readToEnd(socket)).toBe(answerBytes)
    await untilMetric('einvoicing_unread_answer_bytes', 0)
    expect(socket.destroyed).toBe(false)
  })
})

const readClosed = async () =>
  (await readMetric('einvoicing_unread_answer_connections_closed_total')) ?? 0

const untilAnswersHeld = (count: number) =>
  eventually(async () => {
    const bytes = (await readMetric('einvoicing_unread_answer_bytes')) ?? 0
    expect(Math.floor(bytes / answerBytes)).toBe(count)
  }, 10_000)

/** The bytes that arrive of the first answer's body, all or until the connection is closed. */
function readToEnd(socket: net.Socket): Promise<number> {
  return new Promise((resolve) => {
    let head = ''
    let bytes = 0
    const count = () => bytes - head.indexOf('\r\n\r\n') - 4
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (!head.includes('\r\n\r\n')) head += chunk.toString('latin1')
      if (count() >= xmlBytes) resolve(count())
    })
    socket.once('close', () => resolve(count()))
    socket.resume()
  })
}
