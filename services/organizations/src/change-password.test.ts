import { limits } from '@einvoicing/domain/limits'
import type { Identity } from '@einvoicing/proto/organizations'
import {
  createCall,
  clientAddress,
  readErrorCode,
  device,
  anonymous,
  OrganizationsUnderTest,
  password,
  hardToGuess,
} from './testdata/organizations-under-test'

let underTest: OrganizationsUnderTest
let identity: Identity
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
  identity = await underTest.signUp('a@example.com')
})
afterEach(() => underTest.remove())

const another = 'another password'
const change = (currentPassword: string, newPassword: string, fields: object = {}) => {
  const { userId } = identity
  const request = { userId, currentPassword, newPassword, clientAddress, device, ...fields }
  return underTest.handlers.changePassword(request, createCall(identity))
}
const authenticate = (one: Identity) => underTest.handlers.authenticateMember(one, anonymous)

it('a new password ends all sessions but the one that set it, and is audited', async () => {
  const elsewhere = await underTest.signIn('a@example.com', password)
  const renewed = await change(password, another)
  const { sessionId, ...same } = { ...identity, passwordVersion: 1 }
  expect(renewed).toMatchObject(same)
  expect(renewed.sessionId).not.toBe(sessionId)
  expect(await readErrorCode(authenticate(renewed))).toBe('OK')
  for (const older of [identity, elsewhere]) {
    expect(await readErrorCode(authenticate(older))).toBe('SESSION_INVALID')
  }
  expect(await readErrorCode(underTest.signIn('a@example.com', password))).toBe(
    'CREDENTIALS_INVALID',
  )
  expect(await underTest.signIn('a@example.com', another)).toMatchObject(same)
  const actions = (await underTest.listAudit(createCall(renewed))).map(({ action }) => action)
  expect(actions.filter((action) => action === 'password.changed')).toHaveLength(1)
})

it('a wrong current password is a field error, and changes nothing', async () => {
  await expect(change('wrong', another)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    fieldErrors: [{ field: 'currentPassword', message: 'is not your password' }],
  })
  expect(await readErrorCode(authenticate(identity))).toBe('OK')
  expect(await readErrorCode(underTest.signIn('a@example.com', password))).toBe('OK')
})

it.each([
  [hardToGuess(limits.passwordLengthMin - 1), 'VALIDATION_ERROR'],
  [hardToGuess(limits.passwordLengthMin), 'OK'],
  [hardToGuess(limits.passwordLengthMax), 'OK'],
  [hardToGuess(limits.passwordLengthMax + 1), 'VALIDATION_ERROR'],
])('the new password %j: %s', async (chosen, code) => {
  expect(await readErrorCode(change(password, chosen))).toBe(code)
})

it('wrong ones are bounded together with those of sign-in', async () => {
  for (let n = 0; n < limits.wrongPasswords; n += 1) {
    const guess = n % 2 ? change('wrong', another) : underTest.signIn('a@example.com', 'wrong')
    expect(await readErrorCode(guess)).toBe(n % 2 ? 'VALIDATION_ERROR' : 'CREDENTIALS_INVALID')
  }
  expect(await readErrorCode(change('wrong', another))).toBe('TOO_MANY_ATTEMPTS')
  // Users are not locked out of their own network.
  expect(await readErrorCode(change(password, another))).toBe('OK')
})

it('the right one has the limit too on a network where the user never signed in', async () => {
  const elsewhere = { clientAddress: '198.51.100.7' }
  for (let n = 0; n < limits.wrongPasswords; n += 1) {
    expect(await readErrorCode(change('wrong', another, elsewhere))).toBe('VALIDATION_ERROR')
  }
  expect(await readErrorCode(change(password, another, elsewhere))).toBe('TOO_MANY_ATTEMPTS')
  expect(await readErrorCode(change(password, another))).toBe('OK')
})

it('of many changes at once from one password, one holds', async () => {
  const codes = await Promise.all(
    Array.from({ length: 4 }, (_, n) => readErrorCode(change(password, `password of ${n}`))),
  )
  expect(codes.filter((code) => code === 'OK')).toHaveLength(1)
  // The attempt that succeeded ended the sessions of the others.
  expect(codes.filter((code) => code === 'SESSION_INVALID')).toHaveLength(3)
})

it('is invalid for a removed user', async () => {
  const stranger = await underTest.signUp()
  expect(await readErrorCode(change(password, another, { userId: stranger.userId }))).toBe(
    'SESSION_INVALID',
  )
})
