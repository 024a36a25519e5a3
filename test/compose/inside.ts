import { readFileSync } from 'node:fs'
import path from 'node:path'
import { docker } from './docker'

function script(name: string): string {
  return readFileSync(path.join(__dirname, 'inside', `${name}.cjs`), 'utf8')
}

/** What a program of the folder `inside` prints in a container, with what that container has. */
export function inContainer(container: string, name: string, probe = ''): Promise<string> {
  return docker('exec', '--env', `PROBE=${probe}`, container, 'node', '-e', script(name))
}

/** The same in a new container of a service that runs once. */
export function asOnce(service: string, name: string, probe = ''): string[] {
  const options = ['--rm', '--no-deps', '-T', '--env', `PROBE=${probe}`]
  return ['run', ...options, service, '-e', script(name)]
}

/** Everything that a container holds: the names of its secrets, and the text of what may change. */
export async function readHoldings(container: string): Promise<{ names: string[]; text: string }> {
  return JSON.parse(await inContainer(container, 'holdings'))
}
