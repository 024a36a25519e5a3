/** EC P-256, RSA-2048 or RSA-3072, each with SHA-256. */
export const keyAlgorithms = ['ecp256', 'rsa2048', 'rsa3072'] as const
export type KeyAlgorithm = (typeof keyAlgorithms)[number]

export interface SigningIdentity {
  readonly algorithm: KeyAlgorithm
  /** DER: the certificate of this key, then its intermediates; the root is not among them. */
  readonly certificates: readonly [Buffer, ...Buffer[]]
}

/** Adapters: software.ts, pkcs11.ts. */
export interface SigningKey {
  /**
   * The same object until key or certificate changes. Throws
   * `KeyUnavailable`.
   */
  identity(): SigningIdentity
  /**
   * Signs as XML Signature requires: ECDSA as r‖s, RSA as PKCS#1 v1.5. The caller verifies the
   * signature. Throws `KeyUnavailable`.
   */
  sign(bytes: Buffer): Promise<Buffer>
  /** What an operator does before the certificate ends. */
  readonly renewal: string
  close(): Promise<void>
}

/** For now, without need of a restart; the message is for the operator. */
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
