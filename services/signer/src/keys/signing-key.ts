/** The key that signs invoices, wherever it lives. Adapter: software.ts. */

/** EC P-256, RSA-2048 or RSA-3072, each with SHA-256. */
export const keyAlgorithms = ['ecp256', 'rsa2048', 'rsa3072'] as const
export type KeyAlgorithm = (typeof keyAlgorithms)[number]

export interface SigningKey {
  readonly algorithm: KeyAlgorithm
  /** DER: the certificate of this key, then its intermediates; the root is not among them. */
  readonly certificates: readonly [Buffer, ...Buffer[]]
  /**
   * Signs as XML Signature wants it: ECDSA as r‖s, RSA as PKCS#1 v1.5. Throws when the key is out
   * of reach for now; whether the signature is right is for the caller to verify.
   */
  sign(bytes: Buffer): Promise<Buffer>
  close(): Promise<void>
}
