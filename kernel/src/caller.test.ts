import jwt from 'jsonwebtoken'
import { organizationOf, readCallerToken, signCallerToken, type Caller } from './caller'
import { tokenKeys } from './token-keys'

const secret = tokenKeys(['a secret that all services share'])
const admitted = ['gateway', 'invoices'] as const
const caller: Caller = { service: 'gateway', organizationId: 'org-1', actor: 'api-key:key-1' }

const refused = expect.objectContaining({ name: 'Refusal', code: 'CALLER_REFUSED' })

function failureOf(
  token: string | undefined,
  doors: Parameters<typeof readCallerToken>[2] = admitted,
) {
  try {
    return readCallerToken(token, secret, doors)
  } catch (error) {
    return error
  }
}

const claim = (claims: object, options: jwt.SignOptions = {}) =>
  jwt.sign(claims, secret[0], { issuer: 'gateway', expiresIn: 60, ...options })

describe('a caller token', () => {
  it('says on the other side who calls, and for whom', () => {
    expect(readCallerToken(signCallerToken(caller, secret), secret, admitted)).toEqual(caller)
  })

  it('may speak for no organization', () => {
    const nobody: Caller = { service: 'invoices', actor: 'service:invoices' }
    expect(readCallerToken(signCallerToken(nobody, secret), secret, admitted)).toEqual(nobody)
  })

  it('is refused from a service this door does not admit', () => {
    const token = signCallerToken({ ...caller, service: 'clearance' }, secret)
    expect(failureOf(token)).toEqual(refused)
    expect(failureOf(signCallerToken(caller, secret), [])).toEqual(refused)
  })

  it('is refused when missing, empty or no token', () => {
    for (const token of [undefined, '', 'nonsense', 'a.b.c']) {
      expect(failureOf(token)).toEqual(refused)
    }
  })

  it('is refused when signed with another secret, with another algorithm, or not at all', () => {
    expect(failureOf(signCallerToken(caller, tokenKeys(['another secret'])))).toEqual(refused)
    expect(failureOf(claim({ act: 'x' }, { algorithm: 'HS512' }))).toEqual(refused)
    const unsigned = jwt.sign({ act: 'x' }, '', { algorithm: 'none', issuer: 'gateway' })
    expect(failureOf(unsigned)).toEqual(refused)
  })

  it('is refused when any part was changed', () => {
    const [header, , signature] = signCallerToken(caller, secret).split('.')
    const [, stranger] = signCallerToken(
      { ...caller, organizationId: 'org-2' },
      tokenKeys(['x']),
    ).split('.')
    expect(failureOf([header, stranger, signature].join('.'))).toEqual(refused)
  })

  it('is refused without an actor, or with an organization that is no text', () => {
    expect(failureOf(claim({ org: 'org-1' }))).toEqual(refused)
    expect(failureOf(claim({ org: 'org-1', act: '' }))).toEqual(refused)
    expect(failureOf(claim({ org: 7, act: 'x' }))).toEqual(refused)
  })

  it('says nothing about the reason to the caller, and keeps it for the log', () => {
    const failure = failureOf(signCallerToken(caller, tokenKeys(['another secret'])))
    expect(failure).toMatchObject({ message: 'The caller token was refused.' })
    expect(failure).toMatchObject({ cause: { message: 'invalid signature' } })
  })

  describe('while the secret is renewed', () => {
    const texts = ['old', 'new', 'newest'].map((name) => name.padEnd(32, '-'))
    const [old, next, newest] = texts as [string, string, string]
    const files = [[old], [old, next], [next, old], [next]] as const

    it('is taken between processes that are one restart apart, whichever restarted', () => {
      for (let step = 0; step + 1 < files.length; step += 1) {
        const [before, after] = [tokenKeys(files[step]!), tokenKeys(files[step + 1]!)]
        for (const [from, to] of [
          [before, after],
          [after, before],
        ] as const) {
          expect(readCallerToken(signCallerToken(caller, from), to, admitted)).toEqual(caller)
        }
      }
    })

    it('is refused two steps apart, and taken by the last of three', () => {
      const token = signCallerToken(caller, tokenKeys([next, old]))
      expect(() => readCallerToken(token, tokenKeys([old]), admitted)).toThrow(refused)
      const three = tokenKeys([old, next, newest])
      const byLast = signCallerToken(caller, tokenKeys([newest]))
      expect(readCallerToken(byLast, three, admitted)).toEqual(caller)
      const stranger = signCallerToken(caller, tokenKeys(['x'.repeat(32)]))
      expect(() => readCallerToken(stranger, three, admitted)).toThrow(refused)
    })

    it('is as old by the second secret as by the first', () => {
      const late = jwt.sign({ act: 'x', iss: 'gateway', exp: 1 }, old)
      expect(() => readCallerToken(late, tokenKeys([next, old]), admitted)).toThrow(refused)
    })
  })

  describe('with the clock stopped', () => {
    const start = Date.parse('2026-01-01T00:00:00Z')
    beforeEach(() => jest.useFakeTimers({ now: start }))
    afterEach(() => jest.useRealTimers())

    it('lives for a minute and not longer', () => {
      const token = signCallerToken(caller, secret)
      jest.setSystemTime(start + 59_999)
      expect(readCallerToken(token, secret, admitted)).toEqual(caller)
      jest.setSystemTime(start + 60_000)
      expect(failureOf(token)).toEqual(refused)
    })
  })
})

describe('organizationOf', () => {
  it('is the organization the caller acts for', () => {
    expect(organizationOf(caller)).toBe('org-1')
  })

  it('takes its absence as a defect of the caller, named', () => {
    const nobody: Caller = { service: 'clearance', actor: 'service:clearance' }
    expect(() => organizationOf(nobody)).toThrow('clearance called without an organization')
    expect(() => organizationOf({ ...nobody, organizationId: '' })).toThrow(/without/)
  })
})
