/**
 * Hands the certificate that verifiers trust from the signer's folder, where its key lies too, to a
 * place of its own: `main.js FROM TO`. Waits until the signer has made it.
 */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { writeDurably } from '@einvoicing/runtime/durable-file'

const giveUpAfterMs = 120_000
const lookEveryMs = 200

async function main([from = '', to = '']: readonly string[]): Promise<void> {
  const giveUpAt = Date.now() + giveUpAfterMs
  while (!existsSync(from)) {
    if (Date.now() > giveUpAt) throw new Error(`${from} is not there: the signer did not make it`)
    await pause(lookEveryMs)
  }
  await writeDurably(to, await readFile(from, 'utf8'), 0o644)
  process.stdout.write(`${to} is what verifiers trust\n`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
})
