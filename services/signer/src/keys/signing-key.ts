/** EC P-256, RSA-2048 or RSA-3072, each with SHA-256. */
export const keyAlgorithms = ['ecp256', 'rsa2048', 'rsa3072'] as const
export type KeyAlgorithm = (typeof keyAlgorithms)[number]

export interface SigningIdentity {
  readonly algorithm: KeyAlgorithm
  /** DER: the key's certificate, then its intermediates without the root. */
  readonly certificates: readonly [Buffer, ...Buffer[]]
}

export interface SigningKey {
  /** The same object until key or certificate changes. Throws `KeyUnavailable`. */
  identity(): SigningIdentity
  /** ECDSA as r‖s, RSA as PKCS#1 v1.5 (XML Signature). Unverified. Throws `KeyUnavailable`. */
  sign(bytes: Buffer): Promise<Buffer>
  /** What an operator does before the certificate expires. */
  readonly renewal: string
  close(): Promise<void>
}

/** Temporary, without need of a restart; the message is for the operator. */
export class KeyUnavailable extends Error {
  override readonly name = 'KeyUnavailable'
}

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
