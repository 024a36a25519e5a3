import type { SigningIdentity } from '../keys/signing-key'
import type { SigningTokenConfig } from './signing-token'
import type { TokenErrorKind } from './token-error'

export type ToToken =
  | { kind: 'open'; module: string; config: SigningTokenConfig; pin: string }
  | { kind: 'identify' }
  | { kind: 'sign'; id: number; digest: Buffer }

export type FromToken =
  | { kind: 'identity'; identity: SigningIdentity; sessions: number }
  | { kind: 'signed'; id: number; signature: Buffer }
  /** The last message of the process. */
  | { kind: 'error'; errorKind: TokenErrorKind; sentence: string }
