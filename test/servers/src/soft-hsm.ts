/**
 * SoftHSM: a PKCS#11 token made of files, that can be removed and inserted again.
 */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const deadlineMs = 10_000

export interface SoftHsmOptions {
  tokenLabel?: string
  pin?: string
  /** Where the token lies; else a temporary folder, removed by `dispose`. */
  folder?: string
}

export interface SoftHsmToken {
  /** The PKCS#11 library. */
  module: string
  tokenLabel: string
  pin: string
  pinFile: string
  /** What a process that loads the module must find in its environment. */
  env: { SOFTHSM2_CONF: string }
  /** Pulls the token out: a process that looks again finds an empty slot. */
  remove(): Promise<void>
  restore(): Promise<void>
  dispose(): Promise<void>
}

const modules = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
]

/** A library without the package that loads it will not do. */
export const findSoftHsm = (): string | undefined =>
  hasPackage('pkcs11js') ? modules.find((file) => existsSync(file)) : undefined

function hasPackage(name: string): boolean {
  try {
    return Boolean(require.resolve(name))
  } catch {
    return false
  }
}

export async function makeSoftHsmToken(options: SoftHsmOptions = {}): Promise<SoftHsmToken> {
  const module = findSoftHsm()
  if (module === undefined) throw new Error('softhsm2 is missing: run npm run provision')
  const { tokenLabel = 'einvoicing', pin = '246810' } = options
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'einvoicing-softhsm-')))
  const [tokens, pulled] = [path.join(folder, 'tokens'), path.join(folder, 'pulled')]
  const [conf, pinFile] = [path.join(folder, 'softhsm2.conf'), path.join(folder, 'pin')]
  const env = { SOFTHSM2_CONF: conf }
  if (!existsSync(tokens)) {
    await mkdir(tokens, { recursive: true })
    await writeFile(
      conf,
      `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`,
    )
    await writeFile(pinFile, `${pin}\n`, { mode: 0o600 })
    const words = ['--init-token', '--free', '--label', tokenLabel, '--pin', pin, '--so-pin', pin]
    const { PATH = '' } = process.env
    await run('softhsm2-util', words, { env: { PATH, ...env }, timeout: deadlineMs })
  }
  return {
    module,
    tokenLabel,
    pin,
    pinFile,
    env,
    remove: async () => {
      await rename(tokens, pulled)
      await mkdir(tokens)
    },
    restore: async () => {
      await rm(tokens, { recursive: true })
      await rename(pulled, tokens)
    },
    dispose: async () => {
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
