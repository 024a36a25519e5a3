import { connect } from 'node:net'
import { startPlatform, type TestPlatform } from '../testdata/start-platform'

let platform: TestPlatform
beforeAll(async () => {
  platform = await startPlatform()
})
afterAll(() => platform.stop())

it.each([
  ['without a length', ''],
  ['of no bytes', 'Content-Length: 0\r\n'],
])('a document %s is missing', async (_, length) => {
  const answer = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(Number(new URL(platform.url).port), '127.0.0.1')
    socket.on('data', (bytes) => (text += bytes.toString()))
    socket.once('error', reject).once('close', () => resolve(text))
    socket.write(
      'POST /v1/submissions HTTP/1.1\r\nHost: simulator\r\nConnection: close\r\n' +
        `Content-Type: application/xml\r\nIdempotency-Key: k\r\n${length}\r\n`,
    )
  })
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(answer).toContain('"code":"DOCUMENT_MISSING"')
})
