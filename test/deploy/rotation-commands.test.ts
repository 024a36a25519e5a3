/** The commands of docs/operations/rotation.md, typed as they are, on files made as documented. */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readSecretLines } from '@einvoicing/runtime/secret-file'

const root = path.join(__dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const name = 'caller-gateway-invoices'
const section = read('docs/operations/rotation.md').split(/^## /m)[1]!
const blocks = [...section.matchAll(/^ *```sh\n([^`]*)```/gm)].map(([, commands]) => commands!)
const prepare = blocks.slice(0, -3).join('')
const rounds = blocks.slice(-3)
const onKubernetes = [
  ...read('deploy/k8s/README.md').matchAll(/(?:umask 077; )?(head -c 32 [^>`]*)>/g),
].map(([, command]) => command!)

/** Root may write to any file: an operator may not. */
const operator = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rotation-'))
  file = path.join(folder, name)
})
afterEach(() => rmSync(folder, { recursive: true }))

const type = (commands: string, as?: typeof operator) =>
  execFileSync('sh', ['-ec', `umask 077\n${commands}`], { cwd: folder, ...as })
const carryOut = (round: number) => {
  if (operator) for (const at of [folder, file]) chownSync(at, operator.uid, operator.gid)
  type(`${prepare}\n${rounds[round - 1]}`, operator)
}
const lines = () => readSecretLines('THE_FILE', file, { noSecret: 'none' })
const makeByCompose = () => {
  const secrets = path.join(folder, 'secrets')
  execFileSync(path.join(root, 'deploy/docker/secrets.sh'), [secrets])
  copyFileSync(path.join(secrets, 'session'), file)
  chmodSync(file, statSync(path.join(secrets, 'session')).mode)
}

test('the page has three rounds for the file, and two commands make one on Kubernetes', () => {
  expect(section).toMatch(/^The three rounds\n/)
  expect(prepare).toContain(name)
  expect(rounds).toHaveLength(3)
  expect(onKubernetes).toHaveLength(2)
})

const made = [
  ...onKubernetes.map((command) => [command, () => type(`${command} >'${file}'`)] as const),
  ['secrets.sh', makeByCompose] as const,
  ['openssl', () => type(`openssl rand -base64 32 >'${file}'`)] as const,
]
const withoutNewline = () => writeFileSync(file, 'x'.repeat(44), { mode: 0o444 })

test.each(made)('%s makes one line', (_, make) => {
  make()
  expect(readFileSync(file, 'utf8')).toMatch(/^.{43,44}\n$/)
})

test.each([...made, ['an earlier version, without newline', withoutNewline] as const])(
  'a file made by %s is renewed in three rounds, and stays as readable',
  async (_, make) => {
    make()
    const readers = statSync(file).mode & 0o444
    const [old] = await lines()
    carryOut(1)
    const [, next] = await lines()
    expect(await lines()).toEqual([old, next])
    expect(next).toHaveLength(44)
    carryOut(2)
    expect(await lines()).toEqual([next, old])
    carryOut(3)
    expect(await lines()).toEqual([next])
    expect(statSync(file).mode & 0o444).toBe(readers)
  },
)

test('a second renewal, and the line `none`, lose no line before round 3', async () => {
  const [first, second] = ['none', 'y'.repeat(44)]
  writeFileSync(file, `${second}\n${first}`)
  carryOut(1)
  const [, , next] = await lines()
  expect(await lines()).toEqual([second, first, next])
  carryOut(2)
  expect(await lines()).toEqual([next, second, first])
})
