import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeSite } from './site'

const served = path.join(__dirname, '..', '..', '..', 'gateway', 'dist', 'public')

rmSync(path.join(served, 'docs'), { recursive: true, force: true })
for (const { name, body } of makeSite()) {
  const file = path.join(served, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, body)
}
