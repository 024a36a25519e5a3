import type { SigningIdentity } from '../keys/signing-key'
import type { SigningTokenConfig } from './signing-token'
import type { TokenErrorKind } from './token-error'

export interface Signed {
  id: number
  signature: Buffer
}

export type ToToken =
  | { kind: 'open'; module: string; config: SigningTokenConfig; pin: string }
  | { kind: 'identify' }
  | { kind: 'sign'; jobs: { id: number; digest: Buffer }[] }

export type FromToken =
  | { kind: 'identity'; identity: SigningIdentity; sessions: number }
  | { kind: 'signed'; signatures: Signed[] }
  | { kind: 'error'; errorKind: TokenErrorKind; sentence: string }
