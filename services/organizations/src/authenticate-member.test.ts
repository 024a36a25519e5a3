import { randomUUID } from 'node:crypto'
import { mentionsNamed } from './legal-mentions'
import { createCall, nobody, OrganizationsUnderTest } from './testdata/organizations-under-test'

let room: OrganizationsUnderTest
beforeEach(async () => {
  room = new OrganizationsUnderTest()
  await room.open()
})
afterEach(() => room.remove())

const over = { code: 'SESSION_INVALID', message: 'Your session has ended. Sign in again.' }

it('a member is answered with role, mentions and what is missing, as they are now', async () => {
  const identity = await room.signUp('a@example.com')
  expect(identity).toMatchObject({ organizationName: 'Société', role: 'OWNER', passwordVersion: 0 })
  const mentions = { ...mentionsNamed('Autre'), city: 'Rabat', rc: '1', ice: '001234567000089' }
  await room.handlers.replaceLegalMentions({ mentions }, createCall(identity))
  expect(await room.handlers.authenticateMember(identity, nobody)).toEqual({
    email: 'a@example.com',
    role: 'OWNER',
    mentions,
    missing: ['address', 'if', 'tp'],
  })
})

it.each([
  ['of nobody', { userId: randomUUID() }],
  ['of another organization', { organizationId: randomUUID() }],
  ['that never was', { sessionId: randomUUID() }],
  ['of a version that stored no sessions', { sessionId: '' }],
  ['under an older password', { passwordVersion: -1 }],
  ['under a password that never was', { passwordVersion: 1 }],
])('a session %s is over', async (_, fields) => {
  const asked = { ...(await room.signUp()), ...fields }
  await expect(room.handlers.authenticateMember(asked, nobody)).rejects.toMatchObject(over)
})

it('a session of another organization than the member is over', async () => {
  const [one, other] = [await room.signUp(), await room.signUp()]
  const asked = { ...one, organizationId: other.organizationId }
  await expect(room.handlers.authenticateMember(asked, nobody)).rejects.toMatchObject(over)
})
