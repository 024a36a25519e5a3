/** Where the signing key lives and what kind it is. */

import { join } from 'node:path'
import type { EnvReader } from '@einvoicing/kernel/env'
import { keyAlgorithms } from './keys/signing-key'
import type { SoftwareKeyConfig } from './keys/software'

/** One member for each adapter of `SigningKey`. */
export type SignerConfig = SoftwareKeyConfig

/** The key file lies in `dataDir`; `SIGNER_KEY_ALGORITHM` says what is made on first start. */
export function readSignerConfig(env: EnvReader, dataDir: string): SignerConfig {
  return {
    kind: 'software',
    directory: join(dataDir, 'signer'),
    algorithm: env.oneOf('SIGNER_KEY_ALGORITHM', keyAlgorithms, 'ecp256'),
  }
}
