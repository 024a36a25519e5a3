/**
 * SoftHSM tokens for tests, and the operator's commands on them, run as the operator runs them.
 * Refuses to load the module here: a test's process goes on to start others.
 */

import { execFile, execFileSync } from 'node:child_process'
import path from 'node:path'
import { makeSoftHsmToken, type SoftHsmToken } from '@einvoicing/servers/soft-hsm'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'
import type { Pkcs11KeyConfig } from '../keys/pkcs11'
import type { KeyAlgorithm } from '../keys/signing-key'

const command = [
  ...runUnbuilt(path.join(__dirname, '../../../../deploy/admin/src/main.ts')),
  'key',
]

export interface TestToken extends SoftHsmToken {
  /** Whose data folder the authority lies in. */
  dataDir: string
  config: (change?: Partial<Pkcs11KeyConfig['token']>) => Pkcs11KeyConfig
  /** Runs a command; answers what it said, and rejects with what it said when it failed. */
  key: (
    words: readonly string[],
    settings?: Readonly<Record<string, string>>,
    input?: string,
  ) => Promise<string>
}

export async function makeTestToken(): Promise<TestToken> {
  const token = await makeSoftHsmToken()
  const dataDir = path.join(path.dirname(token.pinFile), 'data')
  const settings = {
    PKCS11_MODULE: token.module,
    PKCS11_TOKEN_LABEL: token.tokenLabel,
    PKCS11_PIN_FILE: token.pinFile,
    PKCS11_KEY_LABEL: 'invoices',
    DATA_DIR: dataDir,
    ...token.env,
  }
  return {
    ...token,
    dataDir,
    config: (change) => ({
      kind: 'pkcs11',
      module: token.module,
      pinFile: token.pinFile,
      environment: token.env,
      token: {
        tokenLabel: token.tokenLabel,
        key: { label: 'invoices', id: undefined },
        sessions: 4,
        certificateFile: undefined,
        ...change,
      },
      trustedCertificateFile: path.join(dataDir, 'signer', 'trusted-certificate.pem'),
    }),
    key: (words, others, input) =>
      run([...command, ...words], { ...settings, ...others }, input),
  }
}

/** A token that signs: its key made, and certified by an authority in its data folder. */
export async function makeSigningToken(algorithm: KeyAlgorithm = 'ecp256'): Promise<TestToken> {
  const token = await makeTestToken()
  await token.key(['self-certify'], { SIGNER_KEY_ALGORITHM: algorithm })
  return token
}

/** Another's program on the token, to judge or change it behind our back. */
export function pkcs11Tool(token: TestToken, words: readonly string[]): Buffer {
  const where = ['--module', token.module, '--token-label', token.tokenLabel]
  const env = { ...process.env, ...token.env }
  return execFileSync('pkcs11-tool', [...where, ...words], { env, stdio: 'pipe' })
}

function run(
  words: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env, timeout: 20_000 }
    const child = execFile(process.execPath, words, options, (error, stdout, stderr) =>
      error ? reject(new Error(stderr.trim() || error.message)) : resolve(stdout.trim()),
    )
    child.stdin?.end(input)
  })
}
