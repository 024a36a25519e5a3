import { ckf, type Cryptoki, type Handle } from './cryptoki'
import { openToken } from './token'
import { toTokenError, type TokenError } from './token-error'

/** A module with these tokens; what it is asked for is remembered, what it lacks is not asked. */
function moduleWith(tokens: { label: string; flags: number }[], returns?: { login: string }) {
  const calls: string[] = []
  const module: Partial<Cryptoki> = {
    C_GetSlotList: () => tokens.map((_, index) => Buffer.from([index])),
    C_GetTokenInfo: (slot: Handle) => tokens[slot[0]!]!,
    C_OpenSession: () => Buffer.from('session'),
    C_Login: (_session, _user, pin) => {
      calls.push(`login ${pin}`)
      // As pkcs11js throws: the name, its number, and its own stack.
      if (returns) throw new Error(`${returns.login}:160\n    at PKCS11.C_Login`)
    },
  }
  return { module: module as Cryptoki, calls }
}

const token = (flags = 0) => ({ label: 'demo'.padEnd(32), flags: ckf.tokenInitialized | flags })
const access = { tokenLabel: 'demo', pin: '1234' }

it('logs in to the token of that label, or to one that is logged in already', () => {
  const others = [
    { label: 'other', flags: ckf.tokenInitialized },
    { label: 'demo', flags: 0 },
  ]
  const first = moduleWith([...others, token()])
  expect(openToken(first.module, access).label).toBe('demo')
  expect(first.calls).toEqual(['login 1234'])
  const { module } = moduleWith([token()], { login: 'CKR_USER_ALREADY_LOGGED_IN' })
  expect(openToken(module, access).label).toBe('demo')
})

it.each([
  ['that would be the last', ckf.userPinFinalTry, /^one more wrong PIN locks the token "demo"/],
  ['when the PIN is locked', ckf.userPinLocked, /^the PIN of token "demo" is locked: have its sec/],
])('does not log in %s, and may look again with the same PIN', (_, flags, sentence) => {
  const { module, calls } = moduleWith([token(flags)])
  const problem = findProblem(() => openToken(module, access))
  expect(problem.message).toMatch(sentence)
  expect(problem.kind).toBe('wrong')
  expect(calls).toEqual([])
})

it('rejects two tokens with the same label', () => {
  const { module } = moduleWith([token(), token()])
  expect(() => openToken(module, access)).toThrow(/2 tokens have that label: give each its own/)
})

it.each([
  ['CKR_PIN_INCORRECT', 'pin', /is not the one in PKCS11_PIN_FILE/],
  ['CKR_PIN_LOCKED', 'wrong', /is locked after too many wrong attempts/],
  ['CKR_USER_PIN_NOT_INITIALIZED', 'wrong', /was never set/],
  ['CKR_DEVICE_REMOVED', 'unavailable', /PKCS11_MODULE returned CKR_DEVICE_REMOVED$/],
])('treats %s as an error of kind %s', (login, kind, sentence) => {
  const { module } = moduleWith([token()], { login })
  const problem = findProblem(() => openToken(module, access))
  expect(problem.kind).toBe(kind)
  expect(problem.message).toMatch(sentence)
})

function findProblem(open: () => unknown): TokenError {
  try {
    open()
  } catch (error) {
    return toTokenError(error, 'demo')
  }
  throw new Error('nothing was thrown')
}
