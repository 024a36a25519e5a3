import { X509Certificate } from 'node:crypto'
import { oncePerIdentity } from './signing-key'

/** In milliseconds since the epoch. */
export const readExpiryMs = oncePerIdentity(({ certificates }) =>
  Date.parse(new X509Certificate(certificates[0]).validTo),
)
