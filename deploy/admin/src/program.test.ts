import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'

let folder: string
beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'admin-'))))
afterAll(() => fs.rmSync(folder, { recursive: true }))

interface Ended {
  status: number
  output: string
  errors: string
}

function admin(words: readonly string[], settings: Record<string, string> = {}): Promise<Ended> {
  const program = runUnbuilt(path.join(__dirname, 'main.ts'))
  const env = { PATH: process.env['PATH'], DATA_DIR: folder, ...settings }
  return new Promise((resolve) =>
    execFile(process.execPath, [...program, ...words], { env }, (error, output, errors) =>
      resolve({ status: error ? Number(error.code) : 0, output, errors }),
    ),
  )
}

const groups = ['key', 'archive', 'recover', 'accounts', 'organizations', 'dead-letters']

test('help at every level names the commands, their words and --json', async () => {
  const all = await admin(['--help'])
  expect(all).toMatchObject({ status: 0, errors: '' })
  for (const group of groups) {
    expect(all.output).toContain(group)
    const help = await admin([group, '--help'])
    expect(help).toMatchObject({ status: 0, errors: '' })
    expect(help.output).toContain(`Usage: admin ${group}`)
    expect(help.output).toContain('--json')
  }
  expect((await admin(['key', 'request', '--help'])).output).toContain('--subject <name>')
  for (const word of ['reset-password', 'grant-owner']) {
    expect(all.output).toContain(`the same as \`accounts ${word}\``)
    expect((await admin([word, '--help'])).output).toContain(`Usage: admin ${word}`)
  }
})

test.each([
  [[], 2, 'dead-letters'],
  [['invoices'], 2, "unknown command 'invoices'"],
  [['key'], 1, 'self-certify'],
  [['key', 'constructor'], 1, "unknown command 'constructor'"],
  [['key', 'request', 'file'], 1, "required option '--subject <name>' not specified"],
  [['archive', 'drop', 'all'], 2, 'retry <INVOICE-ID...>'],
  [['archive', 'list', 'all'], 2, 'too many arguments'],
  [['recover'], 2, 'take [options]'],
  [['accounts', 'grant-owner', 'id'], 1, "missing required argument 'EMAIL'"],
  [['reset-password'], 1, "missing required argument 'EMAIL'"],
  [['reset-password', 'a@example.com'], 1, 'organizations.db does not exist'],
  [['grant-owner', 'id'], 1, "missing required argument 'EMAIL'"],
  [['grant-owner', 'id', 'a@example.com'], 1, 'organizations.db does not exist'],
  [['accounts', '--nonsense'], 1, "unknown option '--nonsense'"],
  [['accounts', 'reset-password', 'a@example.com'], 1, 'organizations.db does not exist'],
  [['accounts', 'reset-second-factor', 'a@example.com'], 1, 'organizations.db does not exist'],
  [['organizations', 'list'], 1, 'organizations.db does not exist: set DATA_DIR or MONGODB_URL'],
  [['audit', 'verify', '--log', 'organizations'], 2, 'organizations.db does not exist'],
  [['organizations', 'suspend', 'id'], 1, "required option '--reason <TEXT>' not specified"],
  [['organizations', 'list', '--status', 'x'], 1, '--status must be one of pending'],
  [['organizations', 'list', '--operator', ' '], 1, 'It must have 1 to 100 characters'],
  [['recover', 'take', '--ice', 'org-1=12345'], 2, '"=" and 15 digits'],
  [['dead-letters', 'replay', 'two'], 2, 'sequence numbers'],
  [['dead-letters', 'drop', 'all', '3'], 2, 'sequence numbers'],
  [['dead-letters', 'list'], 1, 'NATS_URL is not set'],
] as const)('%j ends with %i', async (words, status, message) => {
  const ended = await admin(words)
  expect(ended).toMatchObject({ status, output: '' })
  expect(ended.errors).toContain(message)
})

test('--json prints objects, errors too', async () => {
  fs.mkdirSync(path.join(folder, 'artefacts'), { recursive: true })
  expect(await admin(['archive', 'verify', '--json'])).toEqual({
    status: 0,
    output: '{"objects":0,"damaged":0}\n',
    errors: '',
  })
  const failed = await admin(['--json', 'key', 'show'])
  expect(failed).toMatchObject({ status: 1, output: '' })
  expect(JSON.parse(failed.errors)).toEqual({ error: expect.stringMatching(/PKCS11_MODULE/) })
})

const native = 'pkcs11js|libsql|mongoose|@nats-io|minio'

test.each([
  [['key', 'show'], []],
  [['archive', 'verify'], ['minio']],
  [['archive', 'list'], []],
  [['dead-letters', 'list'], ['@nats-io']],
] as const)('%j loads no client of another command', async (words, allowed) => {
  const preload = path.join(folder, 'print-loaded.cjs')
  fs.writeFileSync(
    preload,
    `process.on('exit', () => {
       const loaded = Object.keys(require.cache).map((file) => /node_modules.(${native})/.exec(file)?.[1])
       process.stderr.write('loaded ' + JSON.stringify([...new Set(loaded)].filter(Boolean)))
     })`,
  )
  const { errors } = await admin(words, { NODE_OPTIONS: `--require ${preload}` })
  const loaded = JSON.parse(/loaded (\[.*\])$/.exec(errors)?.[1] ?? 'null') as string[]
  expect(loaded.filter((name) => !(allowed as readonly string[]).includes(name))).toEqual([])
})
