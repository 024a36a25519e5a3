import { request } from 'node:http'
import { startPlatform, type TestPlatform } from '../testdata/start-platform'
import { isKnownHost } from './reject-foreign-pages'

let platform: TestPlatform
beforeAll(async () => {
  platform = await startPlatform()
})
afterAll(() => platform.stop())

/** By hand: `fetch` lets no one choose these headers. */
function send(method: string, path: string, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const sent = request(
      `${platform.url}${path}`,
      { method, headers, agent: false },
      (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    sent.on('error', reject).end(method === 'GET' ? undefined : body)
  })
}

const host = () => new URL(platform.url).host
const behaviour = JSON.stringify({ errorRate: 1 })

it('ignores a host name that was rebound to this machine', async () => {
  for (const [method, path] of [
    ['PUT', '/v1/behaviour'],
    ['GET', '/v1/behaviour'],
    ['GET', '/v1/submissions'],
    ['POST', '/v1/submissions'],
  ] as const) {
    const name = `rebound.example.com:${new URL(platform.url).port}`
    const answer = await send(method, path, { host: name, origin: `http://${name}` }, behaviour)
    expect(answer).toMatchObject({ status: 421 })
    expect(answer.text).toContain('MISDIRECTED_REQUEST')
  }
  expect(JSON.parse((await send('GET', '/v1/behaviour', {})).text)).toMatchObject({ errorRate: 0 })
})

it.each([
  { origin: 'https://page.example.com' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
])('does nothing for a page of another origin: %j', async (headers) => {
  const answer = await send('PUT', '/v1/behaviour', headers, behaviour)
  expect(answer).toMatchObject({ status: 403 })
  expect(JSON.parse((await send('GET', '/v1/behaviour', {})).text)).toMatchObject({ errorRate: 0 })
})

it('serves programs, its own pages, and links to the page of a QR', async () => {
  const own = { origin: `http://${host()}`, 'sec-fetch-site': 'same-origin' }
  expect(await send('PUT', '/v1/behaviour', {}, '{}')).toMatchObject({ status: 200 })
  expect(await send('PUT', '/v1/behaviour', own, '{}')).toMatchObject({ status: 200 })
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html' }
  expect(await send('GET', '/verify?p=x', link)).toMatchObject({ status: 400 })
  expect((await send('GET', '/verify?p=x', link)).text).toContain('<html')
})

it.each([
  '127.0.0.1:8090',
  '[::1]:8090',
  '10.1.2.3',
  'localhost:8090',
  'simulator:8090',
  'simulator.einvoicing.svc:8090',
  'simulator.einvoicing.svc.cluster.local:8090',
  'host.docker.internal:8090',
  'verify.example.com',
])('knows %s', (name) => {
  expect(isKnownHost(name, 'verify.example.com')).toBe(true)
})

it.each([undefined, '', 'a b', 'example.com', '127.0.0.1.example.com:8090', 'localhost.example'])(
  'does not know %s',
  (name) => {
    expect(isKnownHost(name, 'verify.example.com')).toBe(false)
  },
)
