/**
 * Finds independent verifiers that are installed, or fetches them into `.cache/`. Tests that need a
 * missing one are skipped, which fails the run under CI (test/reporter.js).
 */

import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { keepFirst, openFresh } from './cache-folder'

const root = join(__dirname, '..', '..')
const judges = join(__dirname, 'judges')
const shared = process.env['SHARED_DIR'] ?? join(root, '..', 'shared')
const fetchDeadlineMs = 120_000
const runDeadlineMs = 240_000

export interface Ran {
  code: number
  output: string
  errors: string
}

export function run(program: string, ...words: readonly string[]): Promise<Ran> {
  const options = { timeout: runDeadlineMs, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(program, words, options, (error, output, errors) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    )
  })
}

export function hasProgram(program: string): boolean {
  return reportMissing(
    `${program} is not installed`,
    spawnSync(program, ['--version']).status === 0,
  )
}

/** The UBL 2.1 schemas with the XAdES of 2024 laid over, in a temporary folder. */
export function schemaFolder(): string | undefined {
  const [ubl, xades] = [join(shared, 'ubl-2.1-xsd'), join(shared, 'xades-2024')]
  if (!reportMissing(`no UBL schemas in ${shared}`, existsSync(ubl) && existsSync(xades)))
    return undefined
  const folder = mkdtempSync(join(tmpdir(), 'schemas-'))
  cpSync(ubl, folder, { recursive: true })
  cpSync(xades, join(folder, 'common'), { recursive: true })
  return folder
}

/** The EN 16931 rules as XSLT 2.0. */
export function en16931Rules(): string | undefined {
  const rules = join(shared, 'en16931', 'EN16931-UBL-validation.xslt')
  return reportMissing(`no EN 16931 rules in ${shared}`, existsSync(rules)) ? rules : undefined
}

/** Their class path, fetched by Maven once for each version of their `pom.xml`. */
export function judgesClassPath(): string | undefined {
  const pom = join(judges, 'pom.xml')
  const version = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12)
  const folder = join(root, '.cache', 'judges', version)
  if (!existsSync(folder) && !fetchJars(pom, folder)) return undefined
  return join(folder, '*')
}

// The compiler for what runs for long costs these runs of seconds a third of their time.
const shortLived = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** Runs a program of `judges/`, and returns the fields of each line it printed. */
export async function runJudge(
  classPath: string,
  judge: string,
  words: readonly string[],
): Promise<string[][]> {
  const classes = await compileJudge(classPath, judge)
  const flags = [...shortLived, '-cp', [classes, classPath].join(delimiter)]
  const { code, output, errors } = await run('java', ...flags, judge, ...words)
  if (code !== 0) throw new Error(`${judge} ended with ${code}: ${errors}`)
  const lines = output.split('\n').filter((line) => line !== '')
  return lines.map((line) => line.split('\t'))
}

/** Once for each version of its source and of the jars. */
async function compileJudge(classPath: string, judge: string): Promise<string> {
  const source = join(judges, `${judge}.java`)
  const version = createHash('sha256').update(classPath).update(readFileSync(source))
  const folder = join(root, '.cache', 'judges', `${judge}-${version.digest('hex').slice(0, 12)}`)
  if (existsSync(folder)) return folder
  const fresh = openFresh(folder)
  const words = ['-J-XX:TieredStopAtLevel=1', '-cp', classPath, '-d', fresh, source]
  const { code, errors } = await run('javac', ...words)
  if (code !== 0) {
    rmSync(fresh, { recursive: true })
    throw new Error(`${judge} does not compile: ${errors}`)
  }
  keepFirst(fresh, folder)
  return folder
}

function fetchJars(pom: string, folder: string): boolean {
  const fresh = openFresh(folder)
  const words = [
    '-q',
    '-B',
    '-f',
    pom,
    'dependency:copy-dependencies',
    `-DoutputDirectory=${fresh}`,
  ]
  const { status } = spawnSync('mvn', words, { timeout: fetchDeadlineMs, cwd: tmpdir() })
  if (!reportMissing('the Java judges could not be fetched with Maven', status === 0)) {
    rmSync(fresh, { recursive: true, force: true })
    return false
  }
  keepFirst(fresh, folder)
  return true
}

function reportMissing(what: string, good: boolean): boolean {
  if (!good) process.stderr.write(`conformance: ${what}; tests that need it are skipped\n`)
  return good
}
