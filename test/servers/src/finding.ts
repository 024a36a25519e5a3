/**
 * What `npm run provision` has made ready of a server: an image that Docker holds, or a program in
 * `.cache/servers`.
 */

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type ServerName, catalogue } from './catalogue'

export const cache = path.join(__dirname, '..', '..', '..', '.cache', 'servers')

export type Found = { image: string; program?: string } | { program: string }

/** `undefined` when it cannot be had. Docker comes first. */
export function find(server: ServerName): Found | undefined {
  const { image, debian } = catalogue[server]
  if (isHeldByDocker(server)) {
    return { image: image.name, ...(image.program && { program: image.program }) }
  }
  const program = [cache, ...(debian ? pathFolders() : [])]
    .map((folder) => path.join(folder, server))
    .find((file) => existsSync(file))
  return program === undefined ? undefined : { program }
}

/** Whether a program of this name is installed. */
export function isOnPath(program: string): boolean {
  return pathFolders().some((folder) => existsSync(path.join(folder, program)))
}

const pathFolders = () => (process.env['PATH'] ?? '').split(path.delimiter)

/** Throws a sentence for people when it cannot be had. */
export function mustFind(server: ServerName): Found {
  const found = find(server)
  if (found === undefined) throw new Error(`${server} is missing: run npm run provision`)
  return found
}

/** Says which image Docker holds; another one is another version's. */
export const imageNote = (server: ServerName) => path.join(cache, `${server}.image`)

function isHeldByDocker(server: ServerName): boolean {
  const note = imageNote(server)
  return existsSync(note) && readFileSync(note, 'utf8').trim() === catalogue[server].image.name
}
