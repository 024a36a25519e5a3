import jwt from 'jsonwebtoken'
import { callerOrganization, readCallerToken, signCallerTokens, type Caller } from './caller'
import { callerKeys, type CallerSecrets } from './caller-secrets'
import type { Secrets } from '@einvoicing/runtime/secret-file'

const secret = 'a secret that all services share'
const shared: CallerSecrets = { shared: [secret] }
const admitted = ['gateway', 'invoices'] as const
const called = { service: 'artefacts', path: '/einvoicing.Artefacts/ReadPdf' } as const
const caller: Caller = { service: 'gateway', organizationId: 'org-1', actor: 'api-key:key-1' }

const refused = expect.objectContaining({ name: 'ApiError', code: 'CALLER_REFUSED' })

type Tokens = Parameters<typeof readCallerToken>[0]
const sign = (
  secrets = shared,
  who = caller,
  what: Parameters<typeof signCallerTokens>[1] = called,
) => signCallerTokens(who, what, callerKeys(secrets))
const read = (
  tokens: Tokens,
  secrets = shared,
  what = called as { service: 'artefacts'; path: string },
) => readCallerToken(tokens, what, { keys: callerKeys(secrets), admitted })

function catchFailure(
  tokens: Tokens,
  secrets = shared,
  what?: { service: 'artefacts'; path: string },
) {
  try {
    return read(tokens, secrets, what)
  } catch (error) {
    return error
  }
}

const claim = (claims: object, options: jwt.SignOptions = {}, key = secret) => ({
  caller: jwt.sign(claims, key, {
    issuer: 'gateway',
    audience: called.path,
    expiresIn: 30,
    ...options,
  }),
})

describe('a caller token', () => {
  it('names the caller and its organization to the server', () => {
    expect(read(sign())).toEqual(caller)
    const session = { ...caller, sessionId: 'session-1' }
    expect(read(sign(shared, session))).toEqual(session)
  })

  it('may have no organization', () => {
    const noOrganization: Caller = { service: 'invoices', actor: 'service:invoices' }
    expect(read(sign(shared, noOrganization))).toEqual(noOrganization)
  })

  it('is refused from a service that is not admitted', () => {
    expect(catchFailure(sign(shared, { ...caller, service: 'clearance' }))).toEqual(refused)
    const noneAdmitted = { keys: callerKeys(shared), admitted: [] }
    expect(() => readCallerToken(sign(), called, noneAdmitted)).toThrow(refused)
  })

  it.each(['/einvoicing.Artefacts/KeepSignedXml', '/einvoicing.Invoices/ReadPdf'])(
    'is refused by %s, which it was not made for',
    (path) => {
      expect(catchFailure(sign(), shared, { ...called, path })).toEqual(refused)
    },
  )

  it('is refused when missing, empty or no token', () => {
    for (const token of [undefined, '', 'nonsense', 'a.b.c']) {
      expect(catchFailure({ caller: token })).toEqual(refused)
    }
  })

  it('is refused when signed with another secret, with another algorithm, or not at all', () => {
    expect(catchFailure(sign({ shared: ['another secret'] }))).toEqual(refused)
    expect(catchFailure(claim({ act: 'x' }, { algorithm: 'HS512' }))).toEqual(refused)
    const unsigned = jwt.sign({ act: 'x' }, '', { algorithm: 'none', issuer: 'gateway' })
    expect(catchFailure({ caller: unsigned })).toEqual(refused)
  })

  it('is refused when any part was changed', () => {
    const [header, , signature] = sign().caller!.split('.')
    const another = { ...caller, organizationId: 'org-2' }
    const [, stranger] = sign({ shared: ['x'] }, another).caller!.split('.')
    expect(catchFailure({ caller: [header, stranger, signature].join('.') })).toEqual(refused)
  })

  it('is rejected without an actor, or with an organization or a session that is not a text', () => {
    expect(catchFailure(claim({ org: 'org-1' }))).toEqual(refused)
    expect(catchFailure(claim({ org: 'org-1', act: '' }))).toEqual(refused)
    expect(catchFailure(claim({ org: 7, act: 'x' }))).toEqual(refused)
    expect(catchFailure(claim({ sid: 7, act: 'x' }))).toEqual(refused)
  })

  it('says nothing about the reason to the caller, and keeps it for the log', () => {
    const failure = catchFailure(sign({ shared: ['another secret'] }))
    expect(failure).toMatchObject({ message: 'The caller token was rejected.' })
    expect(failure).toMatchObject({ cause: { message: 'invalid signature' } })
  })

  describe('while the secret is renewed', () => {
    const texts = ['old', 'new', 'newest'].map((name) => name.padEnd(32, '-'))
    const [old, next, newest] = texts as [string, string, string]
    const files = [[old], [old, next], [next, old], [next]] as const
    const inPair = (secrets: Secrets): readonly [CallerSecrets, CallerSecrets] => [
      { pairs: new Map([['artefacts', secrets]]) },
      { pairs: new Map([['gateway', secrets]]) },
    ]
    const forAll = (secrets: Secrets) => [{ shared: secrets }, { shared: secrets }] as const

    it.each([
      ['of a pair', inPair],
      ['of all', forAll],
    ])(
      'with a secret %s, a token is accepted between processes that are one restart apart',
      (_, secretsOf) => {
        for (let step = 0; step + 1 < files.length; step += 1) {
          const [before, after] = [secretsOf(files[step]!), secretsOf(files[step + 1]!)]
          expect(read(sign(before[0]), after[1])).toEqual(caller)
          expect(read(sign(after[0]), before[1])).toEqual(caller)
        }
      },
    )

    it('is rejected two steps apart, and accepted by the last of three', () => {
      expect(catchFailure(sign({ shared: [next, old] }), { shared: [old] })).toEqual(refused)
      const three: CallerSecrets = { shared: [old, next, newest] }
      expect(read(sign({ shared: [newest] }), three)).toEqual(caller)
      expect(catchFailure(sign({ shared: ['x'.repeat(32)] }), three)).toEqual(refused)
    })
  })

  describe('by the secrets of pairs', () => {
    const ofGateway: CallerSecrets = {
      pairs: new Map([
        ['artefacts', ['gateway and artefacts']],
        ['invoices', ['gateway and invoices']],
      ]),
    }
    const ofArtefacts: CallerSecrets = {
      pairs: new Map([
        ['gateway', ['gateway and artefacts']],
        ['invoices', ['invoices and artefacts']],
      ]),
    }
    const all = ['the secret that all share'] as const

    it('each caller’s own is accepted', () => {
      expect(read(sign(ofGateway), ofArtefacts)).toEqual(caller)
    })

    it('is rejected from a service that names another with its own secret', () => {
      const asInvoices = claim({ act: 'x' }, { issuer: 'invoices' }, 'gateway and artefacts')
      expect(catchFailure(asInvoices, ofArtefacts)).toEqual(refused)
      const elsewhere = claim({ act: 'x' }, {}, 'gateway and invoices')
      expect(catchFailure(elsewhere, ofArtefacts)).toEqual(refused)
    })

    it('is refused without a method, which only the version before leaves out', () => {
      const { caller: token } = claim({ act: 'x' }, {}, 'gateway and artefacts')
      expect(read({ caller: token }, ofArtefacts)).toMatchObject({ actor: 'x' })
      const bare = (key: string) => ({
        caller: jwt.sign({ act: 'x' }, key, { issuer: 'gateway', expiresIn: 60 }),
      })
      expect(catchFailure(bare('gateway and artefacts'), ofArtefacts)).toEqual(refused)
      expect(read(bare(secret))).toMatchObject({ actor: 'x' })
    })

    it('is accepted between processes that are one restart apart while pairs are introduced', () => {
      const steps = (own: CallerSecrets): CallerSecrets[] => [
        { shared: all },
        { ...own, shared: all },
        own,
      ]
      const [callers, servers] = [steps(ofGateway), steps(ofArtefacts)]
      for (const [from, to] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
        [1, 2],
        [2, 1],
        [2, 2],
      ] as const) {
        expect(read(sign(callers[from]), servers[to])).toEqual(caller)
      }
      expect(catchFailure(sign(callers[0]), servers[2])).toEqual(refused)
    })

    it('no token is created for a service without a common secret', () => {
      const organizations = { service: 'organizations', path: '/x' } as const
      expect(() => sign(ofGateway, caller, organizations)).toThrow(
        /no secret is configured for organizations/,
      )
    })
  })

  describe('with the clock stopped', () => {
    const start = Date.parse('2026-01-01T00:00:00Z')
    beforeEach(() => jest.useFakeTimers({ now: start }))
    afterEach(() => jest.useRealTimers())

    it('is accepted within a minute, by any clock, and not longer', () => {
      const tokens = sign()
      const clockError = expect.objectContaining({
        code: 'SERVICE_UNAVAILABLE',
        retryAfterSeconds: 5,
      })
      for (const [offsetMs, isTaken] of [
        [59_000, true],
        [61_000, false],
        [-59_000, true],
        [-61_000, false],
      ] as const) {
        jest.setSystemTime(start + offsetMs)
        expect(catchFailure(tokens)).toEqual(isTaken ? caller : clockError)
      }
    })

    it('says in the log by how much the clocks differ', () => {
      const tokens = sign()
      jest.setSystemTime(start + 95_000)
      const reported =
        'a caller token from gateway was issued 95 s behind the clock of this machine'
      expect(catchFailure(tokens)).toMatchObject({
        cause: { message: expect.stringContaining(reported) as string },
      })
      jest.setSystemTime(start - 95_000)
      expect(catchFailure(tokens)).toMatchObject({
        cause: { message: expect.stringContaining('95 s ahead of') as string },
      })
    })
  })
})

describe('callerOrganization', () => {
  it('is the organization the caller acts for', () => {
    expect(callerOrganization(caller)).toBe('org-1')
  })

  it('treats its absence as a defect of the caller, by name', () => {
    const noOrganization: Caller = { service: 'clearance', actor: 'service:clearance' }
    expect(() => callerOrganization(noOrganization)).toThrow(
      'clearance called without an organization',
    )
    expect(() => callerOrganization({ ...noOrganization, organizationId: '' })).toThrow(/without/)
  })
})

describe('tokens that are remembered', () => {
  const at = Date.parse('2026-05-01T10:00:00Z')
  beforeEach(() => jest.useFakeTimers({ now: at }))
  afterEach(() => jest.useRealTimers())
  const after = (ms: number) => jest.setSystemTime(at + ms)

  it('are signed again after twenty seconds, and for each caller and method', () => {
    const keys = callerKeys(shared)
    const first = signCallerTokens(caller, called, keys)
    after(19_999)
    expect(signCallerTokens({ ...caller }, { ...called }, keys)).toEqual(first)
    const others: [Caller, Parameters<typeof signCallerTokens>[1]][] = [
      [{ ...caller, actor: 'api-key:key-2' }, called],
      [{ ...caller, organizationId: undefined }, called],
      [{ ...caller, sessionId: 'session-1' }, called],
      [{ ...caller, service: 'invoices' }, called],
      [caller, { ...called, path: '/einvoicing.Artefacts/ReadQr' }],
    ]
    const tokens = others.map(([who, what]) => signCallerTokens(who, what, keys).caller)
    expect(new Set([first.caller, ...tokens]).size).toBe(6)
    after(20_000)
    expect(signCallerTokens(caller, called, keys)).not.toEqual(first)
    after(-1)
    expect(signCallerTokens(caller, called, keys)).not.toEqual(first)
  })

  it('are verified as strictly as before: by method, by secret and by time', () => {
    const tokens = sign()
    const keys = callerKeys(shared)
    const readAt = (ms: number, path: string = called.path, by = keys) => {
      after(ms)
      try {
        return readCallerToken(tokens, { ...called, path }, { keys: by, admitted })
      } catch (error) {
        return error
      }
    }
    for (let time = 0; time < 2; time += 1) {
      expect(readAt(0)).toEqual(caller)
      expect(readAt(0, '/einvoicing.Artefacts/ReadQr')).toEqual(refused)
      expect(readAt(0, called.path, callerKeys({ shared: ['another secret'] }))).toEqual(refused)
    }
    expect(readAt(59_999)).toEqual(caller)
    expect(readAt(61_000)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(readAt(-70_000)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(readAt(0)).toEqual(caller)
  })

  it('a changed token does not pass for a verified one', () => {
    const keys = callerKeys(shared)
    const { caller: token = '' } = sign()
    expect(readCallerToken({ caller: token }, called, { keys, admitted })).toEqual(caller)
    const changed = token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')
    expect(() => readCallerToken({ caller: changed }, called, { keys, admitted })).toThrow(refused)
  })
})
