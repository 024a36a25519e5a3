/**
 * Makes a SoftHSM token with a signing key, for trials: `main.js FOLDER`, with the settings of
 * the signer. The token is made once; key and certificate are made where they are missing.
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { EnvReader } from '@einvoicing/runtime/env'
import { exitOnError } from '@einvoicing/runtime/serve'
import { readPin } from '@einvoicing/signer/token/pin-file'
import { initializeToken } from './initialize'

const run = promisify(execFile)
const madeWithinMs = 60_000

async function main([folder = '']: readonly string[]): Promise<void> {
  const env = new EnvReader(process.env)
  const module = env.text('PKCS11_MODULE', '')
  const label = env.text('PKCS11_TOKEN_LABEL', '')
  const pinFile = env.text('PKCS11_PIN_FILE', '')
  env.throwErrors()
  const tokens = path.join(folder, 'tokens')
  if (!existsSync(tokens)) {
    await mkdir(tokens, { recursive: true, mode: 0o700 })
    const lines = [`directories.tokendir = ${tokens}`, 'objectstore.backend = file']
    await writeFile(path.join(folder, 'softhsm2.conf'), `${lines.join('\n')}\nlog.level = ERROR\n`)
  }
  await initializeToken({ module, label, pin: await readPin(pinFile) })
  // In a process of its own: this one has loaded the module already.
  const admin = require.resolve('@einvoicing/admin/main')
  const { stdout } = await run(process.execPath, [admin, 'key', 'self-certify'], {
    timeout: madeWithinMs,
  })
  process.stdout.write(stdout)
}

exitOnError(main(process.argv.slice(2)), process.env)
