import { randomUUID } from 'node:crypto'
import { mentionsNamed } from './legal-mentions'
import { createCall, anonymous, OrganizationsUnderTest } from './testdata/organizations-under-test'

let underTest: OrganizationsUnderTest
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
})
afterEach(() => underTest.remove())

const over = { code: 'SESSION_INVALID', message: 'Your session has ended. Sign in again.' }

it('a member is returned with role, legal details and missing details, as they are now', async () => {
  const identity = await underTest.signUp('a@example.com')
  expect(identity).toMatchObject({ organizationName: 'Société', role: 'OWNER', passwordVersion: 0 })
  const mentions = { ...mentionsNamed('Autre'), city: 'Rabat', rc: '1', ice: '001234567000089' }
  await underTest.handlers.replaceLegalMentions({ mentions }, createCall(identity))
  expect(await underTest.handlers.authenticateMember(identity, anonymous)).toEqual({
    email: 'a@example.com',
    role: 'OWNER',
    mentions,
    missing: ['address', 'if', 'tp'],
    secondFactorMissing: false,
  })
})

it.each([
  ['of an unknown user', { userId: randomUUID() }],
  ['of another organization', { organizationId: randomUUID() }],
  ['that never was', { sessionId: randomUUID() }],
  ['of a version that stored no sessions', { sessionId: '' }],
  ['under an older password', { passwordVersion: -1 }],
  ['under a password that never was', { passwordVersion: 1 }],
])('a session %s is over', async (_, fields) => {
  const request = { ...(await underTest.signUp()), ...fields }
  await expect(underTest.handlers.authenticateMember(request, anonymous)).rejects.toMatchObject(
    over,
  )
})

it('a session of another organization than the member’s is invalid', async () => {
  const [one, other] = [await underTest.signUp(), await underTest.signUp()]
  const request = { ...one, organizationId: other.organizationId }
  await expect(underTest.handlers.authenticateMember(request, anonymous)).rejects.toMatchObject(
    over,
  )
})
