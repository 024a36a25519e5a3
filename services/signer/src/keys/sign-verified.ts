import { X509Certificate, verify, type KeyObject } from 'node:crypto'
import type { Clock } from '@einvoicing/runtime/clock'
import { oncePerIdentity, type SigningIdentity, type SigningKey } from './signing-key'

/** `identity` is part of the signed text. Throws when the key does not match it. */
export type SignVerified = (bytes: Buffer, identity: SigningIdentity) => Promise<Buffer>

/** Verification runs off the event loop, as signing does. */
export function createSignVerified(key: SigningKey, now: Clock): SignVerified {
  const readCertificate = oncePerIdentity(({ certificates }) => {
    const { publicKey, validFrom, validTo } = new X509Certificate(certificates[0])
    const beginsAtMs = Date.parse(validFrom)
    return { publicKey, validFrom, beginsAtMs, validTo, endsAtMs: Date.parse(validTo) }
  })
  return async (bytes, identity) => {
    const { publicKey, validFrom, beginsAtMs, validTo, endsAtMs } = readCertificate(identity)
    const nowMs = now().getTime()
    if (nowMs < beginsAtMs) {
      throw new Error(`the signing certificate is valid from ${validFrom}: correct the clock`)
    }
    if (nowMs >= endsAtMs) {
      throw new Error(`the signing certificate expired on ${validTo}: ${key.renewal}`)
    }
    const signature = await key.sign(bytes)
    if (await verifySignature(publicKey, bytes, signature)) return signature
    throw new Error('the signing key does not match its certificate')
  }
}

function verifySignature(key: KeyObject, bytes: Buffer, signature: Buffer): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature, (error, verified) =>
      error ? reject(error) : resolve(verified),
    )
  })
}
