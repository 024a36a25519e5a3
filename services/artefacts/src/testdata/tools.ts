/**
 * Programs that read our documents independently of us. A test that needs one is skipped with a
 * message where it is not installed.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** `it` where `tool` is installed, a skipped test where not; on CI everything must be installed. */
export function itWith(tool: string): jest.It {
  const { error } = spawnSync(tool, ['--version'])
  const missing = error !== undefined && 'code' in error && error.code === 'ENOENT'
  if (!missing || process.env['CI']) return it
  process.stderr.write(`SKIPPED: ${tool} is not installed\n`)
  return it.skip
}

/** What `tool` prints when it is given `bytes` as a file in the place of `FILE`. */
export function runTool(tool: string, args: string[], bytes: Buffer): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'document-'))
  const file = path.join(folder, 'document')
  try {
    writeFileSync(file, bytes)
    const withFile = args.map((arg) => (arg === 'FILE' ? file : arg))
    return execFileSync(tool, withFile, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
