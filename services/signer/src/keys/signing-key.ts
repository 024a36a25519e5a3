/** The key that signs invoices, wherever it lives. Adapters: software.ts, pkcs11.ts. */

/** EC P-256, RSA-2048 or RSA-3072, each with SHA-256. */
export const keyAlgorithms = ['ecp256', 'rsa2048', 'rsa3072'] as const
export type KeyAlgorithm = (typeof keyAlgorithms)[number]

export interface SigningIdentity {
  readonly algorithm: KeyAlgorithm
  /** DER: the certificate of this key, then its intermediates; the root is not among them. */
  readonly certificates: readonly [Buffer, ...Buffer[]]
}

export interface SigningKey {
  /**
   * As whom the key signs: the same object until key or certificate is another. Throws `KeyAway`
   * while the key is out of reach.
   */
  identity(): SigningIdentity
  /**
   * Signs as XML Signature wants it: ECDSA as r‖s, RSA as PKCS#1 v1.5. Throws `KeyAway` when the
   * key is out of reach for now; whether the signature is right is for the caller to verify.
   */
  sign(bytes: Buffer): Promise<Buffer>
  /** What an operator does before the certificate ends. */
  readonly renewal: string
  close(): Promise<void>
}

/** Out of reach, and come back without a restart; the message is a sentence for the operator. */
export class KeyUnavailable extends Error {
  override readonly name = 'KeyUnavailable'
}

/** Prepares what depends on the identity alone once, for as long as it stays the same. */
export function oncePerIdentity<T>(
  prepare: (identity: SigningIdentity) => T,
): (identity: SigningIdentity) => T {
  const prepared = new WeakMap<SigningIdentity, { value: T }>()
  return (identity) => {
    const found = prepared.get(identity) ?? { value: prepare(identity) }
    prepared.set(identity, found)
    return found.value
  }
}
