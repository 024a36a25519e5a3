import { ckf, userType, type Attribute, type Cryptoki, type Handle } from './cryptoki'
import { TokenError, findReturnValue } from './token-error'

export interface Token {
  readonly label: string
  readonly cryptoki: Cryptoki
  /** For searches and changes; signatures use sessions of their own. */
  readonly session: Handle
  /** As many as the token grants, at least one. */
  openSessions(count: number): Handle[]
}

export interface TokenAccess {
  tokenLabel: string
  pin: string
}

const objectsPerQuestion = 100

/** Throws `TokenError`, or what the module threw; never spends the last try of a PIN. */
export function openToken(
  cryptoki: Cryptoki,
  { tokenLabel: label, pin }: TokenAccess,
  mayChange = false,
): Token {
  const slot = findSlot(cryptoki, label)
  const flags = ckf.serialSession | (mayChange ? ckf.rwSession : 0)
  const session = cryptoki.C_OpenSession(slot, flags)
  login(cryptoki, session, pin)
  return {
    label,
    cryptoki,
    session,
    openSessions: (count) => openSessions(count, () => cryptoki.C_OpenSession(slot, flags)),
  }
}

export function findObjects({ cryptoki, session }: Token, template: Attribute[]): Handle[] {
  cryptoki.C_FindObjectsInit(session, template)
  try {
    const found: Handle[] = []
    for (;;) {
      const some = cryptoki.C_FindObjects(session, objectsPerQuestion)
      found.push(...some)
      if (some.length < objectsPerQuestion) return found
    }
  } finally {
    cryptoki.C_FindObjectsFinal(session)
  }
}

/** Empty when the object does not have it. */
export function readAttribute({ cryptoki, session }: Token, object: Handle, type: number): Buffer {
  try {
    return cryptoki.C_GetAttributeValue(session, object, [{ type }])[0]?.value ?? Buffer.alloc(0)
  } catch (error) {
    if (absent.has(findReturnValue(error))) return Buffer.alloc(0)
    throw error
  }
}

const absent = new Set<string | undefined>([
  'CKR_ATTRIBUTE_TYPE_INVALID',
  'CKR_ATTRIBUTE_SENSITIVE',
])

function findSlot(cryptoki: Cryptoki, label: string): Handle {
  const tokens = cryptoki
    .C_GetSlotList(true)
    .map((slot) => ({ slot, ...cryptoki.C_GetTokenInfo(slot) }))
    .filter(({ flags }) => (flags & ckf.tokenInitialized) !== 0)
    .map((token) => ({ ...token, label: token.label.trimEnd() }))
  const named = tokens.filter((token) => token.label === label)
  const [token] = named
  if (named.length > 1) {
    throw new TokenError(
      'wrong',
      `PKCS11_TOKEN_LABEL is "${label}", and ${named.length} tokens have that label: give each its own`,
    )
  }
  if (token === undefined) {
    const labels = tokens.map((other) => `"${other.label}"`).join(', ') || 'none'
    throw new TokenError(
      'unavailable',
      `PKCS11_TOKEN_LABEL is "${label}", but no token has this label (tokens found: ${labels})`,
    )
  }
  rejectLastTry(label, token.flags)
  return token.slot
}

// A supervisor may restart us with a wrong PIN: the try that would lock the token is not made.
function rejectLastTry(label: string, flags: number): void {
  if ((flags & (ckf.userPinFinalTry | ckf.userPinLocked)) === 0) return
  // Not `pin`: the same PIN may be right, and no try is spent on looking again.
  throw new TokenError(
    'wrong',
    (flags & ckf.userPinLocked) !== 0
      ? `the PIN of token "${label}" is locked: have its security officer set a new one, and write it to PKCS11_PIN_FILE`
      : `one more wrong PIN locks the token "${label}", so PKCS11_PIN_FILE is not tried: log in by hand once with the right PIN, and correct the file`,
  )
}

function login(cryptoki: Cryptoki, session: Handle, pin: string): void {
  try {
    cryptoki.C_Login(session, userType, pin)
  } catch (error) {
    // The login is the token's, not the session's.
    if (findReturnValue(error) !== 'CKR_USER_ALREADY_LOGGED_IN') throw error
  }
}

function openSessions(count: number, open: () => Handle): Handle[] {
  const sessions = [open()]
  try {
    while (sessions.length < count) sessions.push(open())
  } catch (error) {
    if (findReturnValue(error) !== 'CKR_SESSION_COUNT') throw error
  }
  return sessions
}
