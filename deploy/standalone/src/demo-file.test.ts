import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { welcome } from './banner'
import { findDemoFile, writeDemoFile } from './demo-file'

const folder = mkdtempSync(path.join(tmpdir(), 'demo-'))
afterAll(() => rmSync(folder, { recursive: true }))

const url = 'http://127.0.0.1:8080'
const demo = {
  organizationId: 'o',
  email: 'demo@example.com',
  password: 'pass-word',
  apiKey: 'svc_sk_abc',
}

it('holds the key for a shell, and no other user may read it', async () => {
  const file = path.join(folder, 'demo.env')
  writeFileSync(file, '', { mode: 0o644 })
  await writeDemoFile(folder, url, demo)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const printed = execFileSync('sh', [
    '-c',
    `. ${file} && echo $EINVOICING_URL $EINVOICING_API_KEY`,
  ])
  expect(printed.toString()).toBe(`${url} svc_sk_abc\n`)
})

it('is named by each start, whose last lines are the key of the first', async () => {
  const options = { url, dataDir: folder, simulator: { port: 8090 } }
  const first = welcome({ ...options, demo, demoFile: findDemoFile(folder) })
    .trimEnd()
    .split('\n')
  expect(first.slice(-4).join('\n')).toContain('svc_sk_abc')
  expect(first.at(-1)).toContain(path.join(folder, 'demo.env'))
  const later = welcome({ ...options, demo: undefined, demoFile: findDemoFile(folder) })
  expect(later).toContain(`. ${path.join(folder, 'demo.env')}`)
  expect(later).not.toContain('svc_sk_')
})
