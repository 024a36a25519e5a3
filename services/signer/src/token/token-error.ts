/** `wrong`: an operator must act. `pin`: likewise, and no login before: tries lock the token. */
export type TokenErrorKind = 'unavailable' | 'wrong' | 'pin'

export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly kind: TokenErrorKind

  constructor(kind: TokenErrorKind, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.kind = kind
  }
}

/** No login is attempted by these, so looking again spends no try. */
const untried: readonly string[] = ['CKR_PIN_LOCKED', 'CKR_USER_PIN_NOT_INITIALIZED']

const pinAdvice: Record<string, string> = {
  CKR_PIN_INCORRECT:
    'is not the one in PKCS11_PIN_FILE: correct the file; until it changes no PIN is tried again, because wrong tries lock the token',
  CKR_PIN_LEN_RANGE: 'has another length than the one in PKCS11_PIN_FILE: correct the file',
  CKR_PIN_INVALID:
    'has characters in PKCS11_PIN_FILE that the token does not accept: correct the file',
  CKR_PIN_LOCKED: `is locked after too many wrong attempts: have its security officer set a new one, and write it to PKCS11_PIN_FILE`,
  CKR_PIN_EXPIRED: 'has expired: set a new one, and write that into PKCS11_PIN_FILE',
  CKR_USER_PIN_NOT_INITIALIZED:
    'was never set: have its security officer set one, and write it to PKCS11_PIN_FILE',
}

export function toTokenError(error: unknown, tokenLabel: string): TokenError {
  if (error instanceof TokenError) return error
  const message = findReturnValue(error) ?? (error as Error).message
  const advice = pinAdvice[message]
  if (advice !== undefined) {
    const kind = untried.includes(message) ? 'wrong' : 'pin'
    return new TokenError(kind, `the PIN of token "${tokenLabel}" ${advice}`, { cause: error })
  }
  const sentence = `the token "${tokenLabel}" does not answer: PKCS11_MODULE returned ${message}`
  return new TokenError('unavailable', sentence, { cause: error })
}

/** `CKR_…`, wherever pkcs11js put it. */
export function findReturnValue(error: unknown): string | undefined {
  return /CKR_[A-Z0-9_]+/.exec((error as Error).message)?.[0]
}

export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND' || code === 'ENOENT'
}
