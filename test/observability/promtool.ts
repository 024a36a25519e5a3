/**
 * Prometheus' own checker of rules and expressions: installed, or taken from its package by
 * test/provision.sh. Where it is missing, a message says so, and tests are skipped.
 */

import { execFile, spawnSync } from 'node:child_process'
import path from 'node:path'
import { folder } from './files'

const fetched = path.join(__dirname, '..', '..', '.cache', 'prometheus', 'promtool')

export function findPromtool(): string | undefined {
  const program = [fetched, 'promtool'].find(
    (candidate) => spawnSync(candidate, ['--version']).status === 0,
  )
  if (program === undefined) {
    process.stderr.write(
      'promtool is not installed: run npm run provision; its tests are skipped\n',
    )
  }
  return program
}

const deadlineMs = 240_000

/** What it printed; rejects with it where it finds error. */
export function runPromtool(program: string, ...words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, words, { cwd: folder, timeout: deadlineMs }, (error, output, errors) =>
      error ? reject(new Error(`${output}${errors}`)) : resolve(output),
    )
  })
}
