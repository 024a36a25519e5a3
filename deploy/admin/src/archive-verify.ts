import path from 'node:path'
import { verifyArchive } from '@einvoicing/artefacts/commands/verify-archive'
import { readArchiveConfig } from '@einvoicing/artefacts/config'
import { EnvReader } from '@einvoicing/runtime/env'
import type { Shell } from './shell'

/** Exit status 1 when any object is damaged. */
export async function verify(shell: Shell): Promise<number> {
  const env = new EnvReader(shell.environment)
  const config = readArchiveConfig(env, path.resolve(env.text('DATA_DIR', './data')))
  env.throwErrors()
  let objects = 0
  let damaged = 0
  try {
    for await (const { key, problem } of verifyArchive(config)) {
      objects += 1
      if (problem === undefined) continue
      damaged += 1
      shell.print(problem, { key, problem })
    }
  } catch (error) {
    // The archive client's own error says more.
    const { cause } = error as Error
    throw cause instanceof Error ? cause : error
  }
  shell.print(`${objects} objects read, ${damaged} damaged`, { objects, damaged })
  return damaged > 0 ? 1 : 0
}
