/** The example of the client's README, by the package as it is handed on, outside the project. */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { onOneStack } from '../stack/on-every-stack'
import { newOrganization } from '../stack/organization'

const root = path.join(__dirname, '..', '..')
const client = path.join(root, 'clients/typescript')

onOneStack("the client's README", (stack) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'client-readme-'))
    const npm = async (...words: string[]) =>
      (await promisify(execFile)('npm', words, { cwd: folder })).stdout.trim()
    const packed = await npm('pack', '--silent', client)
    await writeFile(path.join(folder, 'package.json'), '{}')
    await npm('install', '--offline', '--no-audit', '--no-fund', `./${packed}`)
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('has an example that compiles, and does what it says', async () => {
    const readme = await readFile(path.join(client, 'README.md'), 'utf8')
    const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
    compile(folder, example, classic)
    const program = compile(folder, example, node16)
    const { key } = await newOrganization(stack())
    const env = { EINVOICING_URL: stack().baseUrl, EINVOICING_API_KEY: key.key }
    const first = await run([program], folder, env)
    expect(first.errors).toBe('')
    const [created, decision, saved, listed] = first.output.trim().split('\n')
    expect(created).toBe('created, 10937.37 MAD')
    expect(decision).toMatch(/^ACCEPTED \S+$/)
    expect(saved).toBe('saved ./F-2026-0001.pdf')
    expect(listed).toBe('F-2026-0001 10937.37')
    expect((await readdir(folder)).includes('F-2026-0001.pdf')).toBe(true)
    const second = await run([program], folder, env)
    expect(second).toMatchObject({ code: 1, output: '' })
    expect(second.errors).toMatch(
      /^INVOICE_NUMBER_EXISTS: An invoice numbered "F-2026-0001" already exists/,
    )
  })

  test.each([
    ['commonjs', "const { EinvoicingClient } = require('@einvoicing/client')"],
    ['module', "import { EinvoicingClient } from '@einvoicing/client'"],
  ])('is there for JavaScript as a %s too', async (kind, load) => {
    const script = `${load}; console.log(typeof EinvoicingClient)`
    const ran = await run([`--input-type=${kind}`, '--eval', script], folder, {})
    expect(ran).toEqual({ code: 0, output: 'function\n', errors: '' })
  })

  test('contains nothing that is not meant to be public', async () => {
    const installed = path.join(folder, 'node_modules/@einvoicing/client')
    const files = await readdir(installed, { recursive: true })
    const strange = files.filter((file) => !/^(dist|dist\/gen|.+\.(js|d\.ts))$/.test(file))
    expect(strange.sort()).toEqual(['README.md', 'package.json'])
    expect(await readdir(path.join(folder, 'node_modules/@einvoicing'))).toEqual(['client'])
  })
})

const node16: ts.CompilerOptions = { module: ts.ModuleKind.Node16 }
/** As projects resolve that have not moved to `exports`. */
const classic = ts.convertCompilerOptionsFromJson(
  { module: 'es2022', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  root,
).options

/** By the types that the package ships, as strictly as may be. */
function compile(folder: string, source: string, resolution: ts.CompilerOptions): string {
  const file = path.join(folder, 'example.mts')
  ts.sys.writeFile(file, source)
  const program = ts.createProgram([file], {
    ...resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [path.join(root, 'node_modules/@types')],
  })
  const reported = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)
  expect(reported).toEqual([])
  program.emit()
  return path.join(folder, 'example.mjs')
}

interface Ran {
  code: number
  output: string
  errors: string
}

function run(words: string[], cwd: string, env: Record<string, string>): Promise<Ran> {
  const { PATH = '' } = process.env
  return new Promise((resolve) => {
    const options = { cwd, env: { PATH, ...env }, timeout: 120_000 }
    execFile(process.execPath, words, options, (error, output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    )
  })
}
