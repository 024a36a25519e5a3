/**
 * The stack as `make up` brings it up, under a project, ports and secrets of its own, so that it
 * meets no other.
 */

import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '@einvoicing/servers/ports'
import { command, type Output } from './docker'

export interface ComposeStack {
  project: string
  urls: [string, string]
  simulatorUrl: string
  secretsDir: string
  env: Readonly<Record<string, string>>
  up(env?: Readonly<Record<string, string>>): Promise<Output>
  down(...words: string[]): Promise<Output>
  compose(...words: string[]): Promise<Output>
  /** The name Docker has for the container of a service. */
  container(service: string): string
  dispose(): Promise<void>
}

export async function planStack(profiles = 'key-file'): Promise<ComposeStack> {
  const project = `einvoicing-test-${process.pid}`
  const secretsDir = await mkdtemp(path.join(tmpdir(), 'einvoicing-compose-'))
  const ports = [0, 0, 0, 0]
  for (const index of ports.keys()) ports[index] = await findFreePort()
  const [first, second, third] = ports.map((port) => `http://127.0.0.1:${port}`)
  const env = {
    COMPOSE_PROJECT_NAME: project,
    COMPOSE_PROFILES: profiles,
    EINVOICING_SECRETS: secretsDir,
    GATEWAY_1_PORT: String(ports[0]),
    GATEWAY_2_PORT: String(ports[1]),
    SIMULATOR_PORT: String(ports[2]),
    PROMETHEUS_PORT: String(ports[3]),
    RATE_LIMIT_PER_MINUTE: '100000',
    LOG_LEVEL: 'warn',
  }
  const down = (...words: string[]) => command('deploy/docker/down.sh', words, env)
  return {
    project,
    urls: [first!, second!],
    simulatorUrl: third!,
    secretsDir,
    env,
    up: (more = {}) => command('deploy/docker/up.sh', [], { ...env, ...more }),
    down,
    compose: (...words) => command('docker', ['compose', ...words], env),
    container: (service) => `${project}-${service}-1`,
    async dispose() {
      await down('--volumes')
      await rm(secretsDir, { recursive: true, force: true })
    },
  }
}

/** The secrets of these files, or of all. */
export async function stackSecrets(
  { secretsDir }: ComposeStack,
  named?: readonly string[],
): Promise<string[]> {
  const names = named ?? (await readdir(secretsDir))
  const texts = await Promise.all(names.map((name) => readFile(`${secretsDir}/${name}`, 'utf8')))
  return texts.flatMap((text) => text.match(/[\w+/-]{40,}/g) ?? [])
}
