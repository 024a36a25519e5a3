/**
 * Before the door opens, and whenever asked how it is: the key signs a probe and its certificate
 * agrees.
 */

import type { SignVerified } from './sign-verified'
import type { SigningKey } from './signing-key'

const probe = Buffer.from('einvoicing signer probe')

/** Throws, in one sentence, what keeps the key from signing. */
export async function proveKey(key: SigningKey, signVerified: SignVerified): Promise<void> {
  await signVerified(probe, key.identity())
}
