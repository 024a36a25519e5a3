import { readFileSync } from 'node:fs'
import path from 'node:path'

export function readVersion(): string {
  const manifest = readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
