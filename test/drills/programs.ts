import { execFile } from 'node:child_process'

const outputMax = 64 * 1024 * 1024

export interface Reported {
  status: number
  output: string
  errors: string
}

export interface Timed extends Reported {
  seconds: number
}

/** Looks in `DRILL_PROGRAMS` first, where mongodump, mongorestore and rclone are not installed. */
export function run(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Timed> {
  const { PATH = '', HOME = '', DRILL_PROGRAMS = '' } = process.env
  const startedAt = Date.now()
  return new Promise((resolve, reject) => {
    const options = {
      env: { PATH: `${DRILL_PROGRAMS}:${PATH}`, HOME, ...env },
      maxBuffer: outputMax,
    }
    execFile(program, words, options, (error, output, errors) => {
      if (error?.code === 'ENOENT') reject(new Error(`${program} is not installed`))
      const status = typeof error?.code === 'number' ? error.code : error ? -1 : 0
      resolve({ status, output, errors, seconds: (Date.now() - startedAt) / 1000 })
    })
  })
}

/** As `run`; throws what the program said when it did not end with 0. */
export async function must(...args: Parameters<typeof run>): Promise<Timed> {
  const reported = await run(...args)
  if (reported.status === 0) return reported
  throw new Error(`${args[0]} ended with ${reported.status}: ${reported.errors || reported.output}`)
}

/** For the book: what a step took. */
export function report(step: string, seconds: number): void {
  process.stderr.write(`  ${step}: ${seconds.toFixed(1)} s\n`)
}
