import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { UsageError } from './outcome'
import type { Run } from './run'

export async function readInput(
  { stdin, interrupted }: Run,
  file: string,
  bytesMax: number,
): Promise<Buffer> {
  // The stream's error does not name the folder.
  if (file !== '-' && (await stat(file)).isDirectory()) {
    throw new UsageError(`${file} is a folder, not a file.`)
  }
  const stream = file === '-' ? addAbortSignal(interrupted, stdin) : createReadStream(file)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bytesMax) throw new UsageError(`${file} is larger than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function readText(run: Run, file: string, bytesMax: number): Promise<string> {
  const bytes = await readInput(run, file, bytesMax)
  if (!isUtf8(bytes)) {
    throw new UsageError(
      `${file} is not UTF-8 text. Convert it to UTF-8 first, so that no letter is lost.`,
    )
  }
  // Windows editors start a file with a byte order mark, which is not JSON.
  return bytes.toString('utf8').replace(/^\ufeff/, '')
}
