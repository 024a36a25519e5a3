/** When a certificate ends, in milliseconds since the epoch. */

import { X509Certificate } from 'node:crypto'
import { oncePerIdentity } from './signing-key'

export const readExpiryMs = oncePerIdentity(({ certificates }) =>
  Date.parse(new X509Certificate(certificates[0]).validTo),
)
