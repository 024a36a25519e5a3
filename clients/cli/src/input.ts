/** What a command is given to read. */

import { readFile } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Run } from './run'

/** A file, or standard input by the name `-`. */
export function readInput({ stdin, interrupted }: Run, file: string): Promise<Buffer> {
  return file === '-' ? buffer(addAbortSignal(interrupted, stdin)) : readFile(file)
}
