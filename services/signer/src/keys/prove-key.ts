import type { SignVerified } from './sign-verified'
import type { SigningKey } from './signing-key'

export const probe = Buffer.from('einvoicing signer probe')

/** Throws the reason why the key cannot sign. */
export async function proveKey(key: SigningKey, signVerified: SignVerified): Promise<void> {
  await signVerified(probe, key.identity())
}
