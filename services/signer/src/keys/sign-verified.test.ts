import { X509Certificate } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import { createSignVerified } from './sign-verified'
import type { SigningKey } from './signing-key'
import { openSoftwareKey } from './software'

const now = new Date('2026-11-21T10:00:00Z')
const yearMs = 365 * 86_400_000

async function openKey(): Promise<SigningKey> {
  const directory = await mkdtemp(join(tmpdir(), 'signer-'))
  const config = { kind: 'software', directory, algorithm: 'ecp256' } as const
  const { key } = await openSoftwareKey(config, { now: () => now, log: createLog('silent') })
  return key
}

it('returns no signature that the certificate does not verify', async () => {
  const [key, other] = await Promise.all([openKey(), openKey()])
  const signVerified = createSignVerified(key, () => now)
  await expect(signVerified(Buffer.from('x'), other.identity())).rejects.toThrow(
    'the signing key does not match its certificate',
  )
})

it('signs from the certificate’s first second until it expires, and at no other time', async () => {
  const key = await openKey()
  const end = now.getTime() + 5 * yearMs
  const signAt = (ms: number) =>
    createSignVerified(key, () => new Date(ms))(Buffer.from('x'), key.identity())
  const [certificate] = key.identity().certificates
  const begin = Date.parse(new X509Certificate(certificate).validFrom)
  await expect(signAt(begin)).resolves.toHaveLength(64)
  await expect(signAt(begin - 1)).rejects.toThrow(
    /^the signing certificate is valid from .* 2026 GMT: correct the clock$/,
  )
  await expect(signAt(end - 1)).resolves.toHaveLength(64)
  await expect(signAt(end)).rejects.toThrow(
    /expired on Nov 20 10:00:00 2031 GMT: restart the signer to renew it/,
  )
})
