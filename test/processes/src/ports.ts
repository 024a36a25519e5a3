/**
 * Ports inside this installation, free when it was made and the same at every start: a replica set
 * knows its members by them.
 */

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '@einvoicing/runtime/durable-file'
import { SettingsError } from '@einvoicing/runtime/env'
import { findFreePort, isFree } from '@einvoicing/servers/ports'

export const portNames = [
  'organizations',
  'organizationsHealth',
  'invoices',
  'invoicesHealth',
  'signer',
  'signerHealth',
  'artefacts',
  'artefactsHealth',
  'clearanceHealth',
  'mongodb',
  'nats',
  's3',
  'redis',
] as const

export type Ports = Record<(typeof portNames)[number], number>

/** Throws one sentence for each port that another process has. */
export async function rejectTaken(wanted: readonly (readonly [string, number])[]): Promise<void> {
  const problems: string[] = []
  for (const [setting, port] of wanted) {
    if (!(await isFree(port)))
      problems.push(`Port ${port} is taken: stop its process, or set ${setting}`)
  }
  if (problems.length > 0) throw new SettingsError(problems)
}

export async function openPorts(dataDir: string): Promise<Ports> {
  const file = path.join(dataDir, 'ports.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Ports
  const named: Partial<Ports> = {}
  for (const name of portNames) named[name] = await findFreePort()
  await writeDurably(file, `${JSON.stringify(named, undefined, 2)}\n`, 0o600)
  return named as Ports
}
