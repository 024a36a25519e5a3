import { randomUUID } from 'node:crypto'
import { mentionsNamed } from './legal-mentions'
import {
  createCall,
  readErrorCode,
  OrganizationsUnderTest,
} from './testdata/organizations-under-test'

let underTest: OrganizationsUnderTest

beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
})
afterEach(() => underTest.remove())

describe('legal details', () => {
  const complete = {
    ...mentionsNamed('Société'),
    address: '1, rue X',
    city: 'Fès',
    ice: '1'.repeat(15),
    if: '1',
    rc: '1',
    tp: '1',
  }

  it('are replaced as a whole, and audited with what they were', async () => {
    const call = createCall(await underTest.signUp())
    const first = await underTest.handlers.replaceLegalMentions(
      { mentions: { ...complete, cnss: '7' } },
      call,
    )
    expect(first.missing).toEqual([])
    const second = await underTest.handlers.replaceLegalMentions({ mentions: complete }, call)
    expect(second.mentions).toEqual(complete)
    expect(await underTest.handlers.getOrganization({}, call)).toEqual(second)
    const [last] = await underTest.listAudit(call)
    expect(last).toMatchObject({ action: 'mentions.updated', detail: 'cnss: 7 → (blank)' })
    expect(last?.actor).toBe(call.caller.actor)
  })

  it('stay as they were when one is invalid', async () => {
    const call = createCall(await underTest.signUp())
    const before = await underTest.handlers.getOrganization({}, call)
    const answer = underTest.handlers.replaceLegalMentions(
      { mentions: { ...complete, ice: '1' } },
      call,
    )
    await expect(answer).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'ice', message: 'must be exactly 15 digits' }],
    })
    expect(await underTest.handlers.getOrganization({}, call)).toEqual(before)
    expect(await underTest.listAudit(call)).toHaveLength(1)
  })

  it('a removed organization asks to sign in again', async () => {
    const call = createCall({ organizationId: randomUUID(), email: 'a@example.com', sessionId: '' })
    const { handlers } = underTest
    expect(await readErrorCode(handlers.getOrganization({}, call))).toBe('SESSION_INVALID')
    expect(await readErrorCode(handlers.replaceLegalMentions({ mentions: complete }, call))).toBe(
      'SESSION_INVALID',
    )
    expect(
      await readErrorCode(
        handlers.createApiKey({ name: 'x', scopes: [], allowedNetworks: [] }, call),
      ),
    ).toBe('SESSION_INVALID')
  })
})
