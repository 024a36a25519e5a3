/**
 * Adds the certificate that verifiers trust from the signer's folder, where its key lies too, to a
 * file of its own: `main.js FROM TO`. Waits until the signer has made it. Earlier certificates stay:
 * what was signed under them is verified and renewed for years.
 */

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { writeDurably } from '@einvoicing/runtime/durable-file'
import { exitOnError } from '@einvoicing/runtime/serve'

const giveUpAfterMs = 120_000
const lookEveryMs = 200

async function main([from = '', to = '']: readonly string[]): Promise<void> {
  const giveUpAt = Date.now() + giveUpAfterMs
  while (!existsSync(from)) {
    if (Date.now() > giveUpAt) throw new Error(`${from} is not there: the signer did not make it`)
    await pause(lookEveryMs)
  }
  const certificate = (await readFile(from, 'utf8')).trim()
  const trusted = existsSync(to) ? (await readFile(to, 'utf8')).trim() : ''
  if (!trusted.includes(certificate)) {
    await writeDurably(to, `${[trusted, certificate].join('\n').trim()}\n`, 0o644)
  }
  process.stdout.write(`${to} is what verifiers trust\n`)
}

exitOnError(main(process.argv.slice(2)), process.env)
