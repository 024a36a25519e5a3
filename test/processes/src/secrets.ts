import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { secretFileName } from '@einvoicing/rpc/caller-secrets'
import { makeFolderDurably, writeDurably } from '@einvoicing/runtime/durable-file'
import { pairs } from '@einvoicing/rpc/who-may-call'

export interface Secrets {
  /** Holds a secret for each pair of services. */
  callerSecretsDir: string
  sessionSecretFile: string
  verifySecretFile: string
  s3SecretKeyFile: string
  tokenPinFile: string
}

export async function openSecrets(dataDir: string): Promise<Secrets> {
  const folder = path.join(dataDir, 'secrets')
  await makeFolderDurably(folder, 0o700)
  const make = async (name: string): Promise<string> => {
    const file = path.join(folder, name)
    if (!existsSync(file)) {
      await writeDurably(file, `${randomBytes(32).toString('base64url')}\n`, 0o600)
    }
    return file
  }
  for (const pair of pairs) await make(secretFileName(pair))
  return {
    callerSecretsDir: folder,
    sessionSecretFile: await make('session.secret'),
    verifySecretFile: await make('verify.secret'),
    s3SecretKeyFile: await make('s3.secret'),
    tokenPinFile: await make('token.pin'),
  }
}
