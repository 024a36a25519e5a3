import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { transformSync } from '@swc/core'

export const root = path.join(__dirname, '..', '..')
export const guide = path.join(root, 'docs', 'guide')

export const readGuide = (page: string) => readFileSync(path.join(guide, page), 'utf8')
export const guidePages = readdirSync(guide).filter((name) => name.endsWith('.md'))

export interface Sample {
  page: string
  language: string
  /** The second word after the fence: the file that readers would save it to. */
  file: string
  code: string
}

const fence = /^```(\w+) ([\w.-]+)\n([^]*?)^```$/gm

export const samples: Sample[] = guidePages.flatMap((page) =>
  [...readGuide(page).matchAll(fence)].map(([, language = '', file = '', code = '']) => ({
    page,
    language,
    file,
    code,
  })),
)

type Command = [program: string, ...words: string[]]

interface Runner {
  /** What has to be installed. */
  programs: readonly string[]
  prepare(folder: string, file: string): Command
}

export const runners: Record<string, Runner> = {
  bash: { programs: ['bash', 'curl', 'jq'], prepare: (_, file) => ['bash', file] },
  typescript: { programs: ['node'], prepare: compile },
  python: { programs: ['python3'], prepare: (_, file) => ['python3', file] },
  php: { programs: ['php'], prepare: (_, file) => ['php', file] },
  java: { programs: ['java', 'javac'], prepare: compileJava },
}

const checked = new Set<string>()

/** As strictly as a reader's own project might; a copy with another value loses its types only. */
function compile(folder: string, file: string): Command {
  const program = file.replace(/\.ts$/, '.js')
  if (checked.has(file)) {
    const source = readFileSync(path.join(folder, file), 'utf8')
    const { code } = transformSync(source, {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    })
    writeFileSync(path.join(folder, program), code)
    return [process.execPath, program]
  }
  const words = [
    ...['--strict', '--noUncheckedIndexedAccess', '--target', 'es2022', '--module', 'node16'],
    ...[
      '--types',
      'node',
      '--typeRoots',
      path.join(root, 'node_modules', '@types'),
      '--skipLibCheck',
    ],
  ]
  const { status, stdout } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules', '.bin', 'tsc'), ...words, file],
    { cwd: folder, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${file} does not compile:\n${stdout}`)
  checked.add(file)
  return [process.execPath, program]
}

const compiled = new Map<string, string>()

/** The first time as a reader runs it; later each text is compiled once. */
function compileJava(folder: string, file: string): Command {
  const source = readFileSync(path.join(folder, file), 'utf8')
  const known = compiled.get(file)
  compiled.set(file, known === undefined ? '' : source)
  if (known === undefined) return ['java', file]
  if (known !== source) {
    const words = ['-J-XX:TieredStopAtLevel=1', '-d', '.', file]
    const { status, stderr } = spawnSync('javac', words, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${file} does not compile:\n${stderr}`)
  }
  const main = file.replace(/\.java$/, '')
  return ['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', main]
}

export function isInstalled(program: string): boolean {
  const found = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  if (!found)
    process.stderr.write(`${program} is not installed; samples that need it are skipped\n`)
  return found
}

export interface Ran {
  code: number
  output: string
  errors: string
}

export interface RunOptions {
  folder: string
  env: Readonly<Record<string, string>>
  words: readonly string[]
}

const deadlineMs = 150_000

/** Saves the sample to `folder` and runs it there. */
export async function runSample(
  { language, file, code }: Sample,
  { folder, env, words }: RunOptions,
): Promise<Ran> {
  const runner = runners[language]
  if (!runner) throw new Error(`there is no runner for ${language}`)
  await writeFile(path.join(folder, file), code)
  const [program, ...rest] = runner.prepare(folder, file)
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: folder, env: { PATH, HOME, ...env }, timeout: deadlineMs }
  return new Promise((resolve) => {
    execFile(program, [...rest, ...words], options, (error, output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    )
  })
}
