import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

const root = path.join(__dirname, '..', '..')

/** As the Dockerfile names it. */
export const shippedNodeVersion =
  /^FROM node:([\d.]+)-/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8'))?.[1] ?? ''

const program = path.join(root, '.cache', 'tools', `node-${shippedNodeVersion}`, 'bin', 'node')

export const shippedNode = existsSync(program) ? realpathSync(program) : undefined
