import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeDurably } from '@einvoicing/runtime/durable-file'

/** One file for who verifies documents of this folder: the roots of signatures and time stamps. */
export async function writeTrustedCertificates(
  dataDir: string,
  signerFile: string | undefined,
): Promise<void> {
  if (signerFile === undefined) return
  const files = [signerFile, path.join(dataDir, 'simulator', 'tsa-root.pem')]
  const roots = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const whole = roots.map((pem) => pem.trimEnd()).join('\n')
  await writeDurably(path.join(dataDir, 'trusted-certificates.pem'), `${whole}\n`, 0o644)
}
