import jwt from 'jsonwebtoken'
import { ApiError } from '@einvoicing/domain/api-error'
import { tokenKeys } from '@einvoicing/access/token-keys'
import { organizationId, userId } from '../testdata/small-services'
import { readCookies, signSession, verifySession } from './session'

describe('the session token', () => {
  const expiresAt = '2026-01-01T12:00:00.000Z'
  const who = { organizationId, userId, email: 'a@example.com', passwordVersion: 2 }
  const session = { ...who, sessionId: 'a session', sessionExpiresAt: expiresAt }
  const at = (iso: string, ...secrets: string[]) => ({
    keys: tokenKeys(['s'.repeat(32), ...secrets]),
    now: () => new Date(iso),
  })
  const start = '2026-01-01T00:00:00Z'
  const another = tokenKeys(['x'.repeat(32)])
  const token = signSession(session, at(start))

  it('lasts as long as the session', () => {
    expect(verifySession(token, at('2026-01-01T11:59:59Z'))).toEqual(session)
    expect(() => verifySession(token, at('2026-01-01T12:00:00Z'))).toThrow(ApiError)
  })

  it('is accepted with either secret while it is renewed', () => {
    const byTheOther = signSession(session, { ...at(start), keys: another })
    expect(verifySession(byTheOther, at(start, 'x'.repeat(32)))).toMatchObject(session)
    expect(() => verifySession(byTheOther, at(start, 'y'.repeat(32)))).toThrow(ApiError)
    expect(() => verifySession(byTheOther, at('2026-01-02T00:00:00Z', 'x'.repeat(32)))).toThrow(
      ApiError,
    )
  })

  const signed = (claims: object, key = 's'.repeat(32), audience = 'dashboard') =>
    jwt.sign({ exp: Date.parse(expiresAt) / 1000, ...claims }, key, { audience })
  const claims = { org: organizationId, sub: userId, email: 'a@example.com', pwv: 0, sid: 'one' }

  it('is accepted with the claims of a session', () => {
    expect(verifySession(signed(claims), at(start))).toMatchObject({ userId, passwordVersion: 0 })
  })

  it.each([
    ['altered', token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['of another secret', signSession(session, { ...at(start), keys: another })],
    ['unsigned', jwt.sign(claims, '', { algorithm: 'none', audience: 'dashboard' })],
    ['for another audience', signed(claims, undefined, 'x')],
    ['of a version that knew no users', signed({ org: organizationId, email: 'a@example.com' })],
    ['of a version that stored no sessions', signed({ ...claims, sid: undefined })],
    ['of no known password', signed({ ...claims, pwv: undefined })],
    ['no token', 'x'],
  ])('is rejected when it is %s', (_, other) => {
    expect(() => verifySession(other, at(start))).toThrow('Your session has ended. Sign in again.')
  })
})

it.each([
  [undefined, []],
  ['a=1; session=x; session=y', ['x', 'y']],
  ['xsession=1; __Host-session=2', []],
  ['session', []],
])('the cookies in %s are %j', (header, values) => {
  expect(readCookies(header, 'session')).toEqual(values)
})
