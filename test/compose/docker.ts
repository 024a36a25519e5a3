/** Docker and its containers, queried and killed by the commands that operators have. */

import { execFile, spawn } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '@einvoicing/servers/eventually'

const run = promisify(execFile)
const root = path.join(__dirname, '..', '..')

/** What `docker` answers. */
export async function docker(...words: string[]): Promise<string> {
  const { stdout } = await run('docker', words, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

export interface Output {
  status: number | null
  text: string
  tookMs: number
}

/** Runs a command in the project's folder and passes its output on; any status is an answer. */
export async function command(
  file: string,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Output> {
  const startedAt = performance.now()
  const child = spawn(file, words, { cwd: root, env: { ...process.env, ...env } })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part
      process.stderr.write(part)
    })
  }
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, text, tookMs: performance.now() - startedAt }
}

interface State {
  Status: string
  Pid: number
  ExitCode: number
  StartedAt: string
  Health?: { Status: string }
}

export async function readState(container: string): Promise<State & { restarts: number }> {
  const [state, restarts] = (
    await docker('inspect', container, '--format', '{{json .State}} {{.RestartCount}}')
  ).split(/ (?=\d+$)/)
  return { ...(JSON.parse(state!) as State), restarts: Number(restarts) }
}

/**
 * SIGKILL to its first process, which the restart policy then answers; where that process is not on
 * this machine, `docker kill`, after which Docker starts nothing by itself, and
 * `docker start`.
 */
export async function crash(container: string): Promise<void> {
  const { Pid: pid } = await readState(container)
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    await docker('kill', container)
    await docker('start', container)
  }
}

/** Healthy in a life that began after `since`, by Docker's own clock. */
export function untilHealthy(container: string, since = ''): Promise<void> {
  return eventually(
    async () => {
      const { Health: health, StartedAt: startedAt, Status: status } = await readState(container)
      if (health?.Status !== 'healthy' || startedAt <= since) {
        throw new Error(`${container} is ${status}, ${health?.Status ?? 'unchecked'}`)
      }
    },
    240_000,
    500,
  )
}

/** Of each container by its name, in mebibytes. */
export async function readMemory(project: string): Promise<Record<string, number>> {
  const names = await docker('ps', '--filter', `name=^${project}-`, '--format', '{{.Names}}')
  const stats = await docker(
    'stats',
    '--no-stream',
    '--format',
    '{{.Name}} {{.MemUsage}}',
    ...names.split('\n'),
  )
  return Object.fromEntries(
    stats.split('\n').map((line) => {
      const [name = '', used = ''] = line.split(' ')
      const [, amount, unit] = /^([\d.]+)([KMG])iB$/.exec(used) ?? []
      const factor = { K: 1 / 1024, M: 1, G: 1024 }[unit as 'K' | 'M' | 'G']
      return [name.slice(project.length + 1), Math.round(Number(amount) * factor)]
    }),
  )
}
