import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPlatform, type TestPlatform } from '../testdata/start-platform'
import { parseMail } from './read-mail'

let folder: string
let platform: TestPlatform | undefined
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'mail-'))
})
afterEach(async () => {
  await platform?.stop()
  platform = undefined
  rmSync(folder, { recursive: true })
})

const message = (subject: string, text: string) =>
  [
    'From: no-reply@localhost',
    'To: a@example.com',
    `Subject: ${subject}`,
    'Date: Sun, 03 May 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="--_x"',
    '',
    '----_x',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    text,
    '----_x',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>HTML</p>',
    '----_x--',
    '',
  ].join('\r\n')

const get = (headers: Record<string, string> = {}) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    http
      .get(`${platform?.url}/mail`, { headers, agent: false }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      })
      .on('error', reject)
  })

it('shows the latest first, with links to open and nothing to run', async () => {
  const link = 'http://127.0.0.1:8080/dashboard/reset#token=3Dab=\r\ncd'
  writeFileSync(path.join(folder, '1.eml'), message('=?UTF-8?Q?R=C3=A9initialiser_?=', link))
  writeFileSync(path.join(folder, '2.eml'), message('Second', '<script>alert(1)</script>'))
  writeFileSync(path.join(folder, 'note.txt'), 'not a message')
  platform = await startPlatform({ mailFolder: folder })
  const { status, body } = await get()
  expect(status).toBe(200)
  expect(body.indexOf('Second')).toBeLessThan(body.indexOf('Réinitialiser'))
  const url = 'http://127.0.0.1:8080/dashboard/reset#token=abcd'
  expect(body).toContain(`<a href="${url}">${url}</a>`)
  expect(body).not.toContain('<script>')
  expect(body).not.toContain('not a message')
})

it.each([
  ['forwarded by a proxy', { 'X-Forwarded-For': '192.0.2.1' }],
  ['for another name', { Host: 'simulator' }],
])('is not shown when the request is %s', async (_, headers) => {
  platform = await startPlatform({ mailFolder: folder })
  expect(await get()).toMatchObject({ status: 200 })
  expect(await get(headers)).toMatchObject({ status: 404 })
})

it('is not shown without a folder, nor by a simulator with a public address', async () => {
  platform = await startPlatform()
  expect(await get()).toMatchObject({ status: 404 })
  await platform.stop()
  platform = await startPlatform({ mailFolder: folder, publicUrl: 'https://sandbox.example' })
  expect(await get()).toMatchObject({ status: 404 })
})

it('shows twenty, and none where there is no folder yet', async () => {
  for (let n = 10; n <= 30; n += 1) {
    writeFileSync(path.join(folder, `${n}.eml`), message(`Number ${n}`, 'x'))
  }
  platform = await startPlatform({ mailFolder: folder })
  const { body } = await get()
  expect(body.match(/<article>/g)).toHaveLength(20)
  expect(body).not.toContain('Number 10')
  await platform.stop()
  platform = await startPlatform({ mailFolder: path.join(folder, 'none') })
  expect((await get()).body).toContain('Aucun message')
})

it.each([
  [`Subject: =?UTF-8?B?w6k=?=\r\n =?UTF-8?Q?t=C3=A9?=\r\n\r\nplain`, 'été', 'plain\n'],
  [
    'Subject: x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nw6k=',
    'x',
    'é',
  ],
  ['', '', ''],
])('shows %j, incomplete as it is', async (content, subject, text) => {
  expect(await parseMail(content)).toEqual({ to: '', subject, date: '', text })
})
