/** Ten hashes, which sign-in waits for too: none is queued for a request that is rejected. */

import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import { Passkey } from '@einvoicing/servers/authenticators/passkey'
import { totpCode } from '@einvoicing/servers/authenticators/totp'
import { Passwords } from '../password'
import {
  clientAddress,
  createCall,
  OrganizationsUnderTest,
  readErrorCode,
} from '../testdata/organizations-under-test'

const origin = 'http://localhost:8080'

let underTest: OrganizationsUnderTest
let call: Call
let userId: string
let hashes: jest.SpyInstance
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
  const owner = await underTest.signUp()
  call = createCall(owner)
  userId = owner.userId
  hashes = jest.spyOn(Passwords.prototype, 'hashWith')
})
afterEach(async () => {
  hashes.mockRestore()
  await underTest.remove()
})

const beginTotp = async () =>
  (await underTest.handlers.beginTotp({ userId, clientAddress }, call)).secret
const confirmTotp = (code: string) =>
  readErrorCode(underTest.handlers.confirmTotp({ userId, code, clientAddress }, call))
const renewCodes = () =>
  readErrorCode(underTest.handlers.renewRecoveryCodes({ userId, clientAddress }, call))
const makePasskey = async () => {
  const { options } = await underTest.handlers.offerPasskey({ userId, origin }, call)
  return JSON.stringify(new Passkey(origin).register(JSON.parse(options)))
}
const addPasskey = (passkey: string) => {
  const request = { userId, name: 'Phone', passkey, origin, clientAddress }
  return readErrorCode(underTest.handlers.addPasskey(request, call))
}
const endConfirmation = () => (underTest.nowMs += limits.confirmationLifetimeMs + 1)

describe('hashes no recovery code', () => {
  afterEach(() => {
    expect(hashes).not.toHaveBeenCalled()
  })

  it('for a session that is not confirmed, whatever it sends', async () => {
    const secret = await beginTotp()
    const passkey = await makePasskey()
    endConfirmation()
    expect(await confirmTotp('000000')).toBe('CONFIRMATION_REQUIRED')
    expect(await confirmTotp(totpCode(secret, underTest.nowMs))).toBe('CONFIRMATION_REQUIRED')
    expect(await renewCodes()).toBe('CONFIRMATION_REQUIRED')
    expect(await addPasskey(passkey)).toBe('CONFIRMATION_REQUIRED')
  })

  it('for a session that has ended', async () => {
    const passkey = await makePasskey()
    await underTest.handlers.endSession({ clientAddress, userId }, call)
    expect(await confirmTotp('000000')).toBe('SESSION_INVALID')
    expect(await renewCodes()).toBe('SESSION_INVALID')
    expect(await addPasskey(passkey)).toBe('SESSION_INVALID')
  })

  it('for a wrong code, with and without a new secret', async () => {
    expect(await confirmTotp('000000')).toBe('VALIDATION_ERROR')
    const secret = await beginTotp()
    expect(await confirmTotp('000000')).toBe('VALIDATION_ERROR')
    expect(await confirmTotp(totpCode(secret, underTest.nowMs + 600_000))).toBe('VALIDATION_ERROR')
  })

  it('for a user without a second factor', async () => {
    expect(await renewCodes()).toBe('VALIDATION_ERROR')
  })
})

it('hashes ten codes for a right code, and none for a passkey of a user who has codes', async () => {
  expect(await confirmTotp(totpCode(await beginTotp(), underTest.nowMs))).toBe('OK')
  expect(hashes).toHaveBeenCalledTimes(limits.recoveryCodes)
  expect(await renewCodes()).toBe('OK')
  hashes.mockClear()
  const passkey = await makePasskey()
  expect(await addPasskey(passkey)).toBe('OK')
  expect(await addPasskey(passkey)).toBe('VALIDATION_ERROR')
  expect(hashes).not.toHaveBeenCalled()
})

it('makes ten sets for a user in a quarter of an hour, and then rejects for as long', async () => {
  expect(await confirmTotp(totpCode(await beginTotp(), underTest.nowMs))).toBe('OK')
  const left = limits.recoveryCodeSets - 1
  for (let count = 0; count < left; count += 1) expect(await renewCodes()).toBe('OK')
  hashes.mockClear()
  expect(await renewCodes()).toBe('TOO_MANY_ATTEMPTS')
  expect(hashes).not.toHaveBeenCalled()
})
