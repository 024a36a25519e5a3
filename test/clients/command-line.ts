import { spawn } from 'node:child_process'
import path from 'node:path'

const program = path.join(__dirname, '..', '..', 'clients/cli/bin/einvoicing.js')

export interface Ran {
  code: number | null
  output: string
  errors: string
}

export interface Running {
  pid: number
  ended: Promise<Ran>
  interrupt(): void
}

export interface Surroundings {
  env?: Readonly<Record<string, string>>
  input?: string | Buffer
  cwd?: string
  /** As `head` does. */
  endsReading?: boolean
}

export function begin(args: readonly string[], surroundings: Surroundings = {}): Running {
  const { env = {}, input = '', cwd, endsReading = false } = surroundings
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, ...env },
    ...(cwd !== undefined && { cwd }),
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  if (endsReading) child.stdout.destroy()
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  child.stdin.on('error', () => undefined).end(input)
  return {
    pid: child.pid ?? 0,
    ended: new Promise((resolve) => {
      child.once('close', (code) => resolve({ code, output, errors }))
    }),
    interrupt: () => void child.kill('SIGINT'),
  }
}

export function einvoicing(args: readonly string[], surroundings?: Surroundings): Promise<Ran> {
  return begin(args, surroundings).ended
}
