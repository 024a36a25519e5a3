import { X509Certificate } from 'node:crypto'
import { oncePerIdentity } from './signing-key'

/** A certificate is renewed, or its operator warned, from then on. */
export const renewBeforeMs = 60 * 86_400_000

/** In milliseconds since the epoch. */
export const readExpiryMs = oncePerIdentity(({ certificates }) =>
  Date.parse(new X509Certificate(certificates[0]).validTo),
)
