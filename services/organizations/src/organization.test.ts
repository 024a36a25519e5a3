import { randomUUID } from 'node:crypto'
import { mentionsNamed } from './legal-mentions'
import {
  createCall,
  readErrorCode,
  OrganizationsUnderTest,
} from './testdata/organizations-under-test'

let room: OrganizationsUnderTest

beforeEach(async () => {
  room = new OrganizationsUnderTest()
  await room.open()
})
afterEach(() => room.remove())

describe('legal mentions', () => {
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
    const call = createCall(await room.signUp())
    const first = await room.handlers.replaceLegalMentions(
      { mentions: { ...complete, cnss: '7' } },
      call,
    )
    expect(first.missing).toEqual([])
    const second = await room.handlers.replaceLegalMentions({ mentions: complete }, call)
    expect(second.mentions).toEqual(complete)
    expect(await room.handlers.getOrganization({}, call)).toEqual(second)
    const [last] = await room.listAudit(call)
    expect(last).toMatchObject({ action: 'mentions.updated', detail: 'cnss: 7 → (blank)' })
    expect(last?.actor).toBe(call.caller.actor)
  })

  it('stay as they were when one is at fault', async () => {
    const call = createCall(await room.signUp())
    const before = await room.handlers.getOrganization({}, call)
    const answer = room.handlers.replaceLegalMentions({ mentions: { ...complete, ice: '1' } }, call)
    await expect(answer).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'ice', message: 'must be exactly 15 digits' }],
    })
    expect(await room.handlers.getOrganization({}, call)).toEqual(before)
    expect(await room.listAudit(call)).toHaveLength(1)
  })

  it('of an organization that is not there ask to sign in again', async () => {
    const call = createCall({ organizationId: randomUUID(), email: 'a@example.com', sessionId: '' })
    const { handlers } = room
    expect(await readErrorCode(handlers.getOrganization({}, call))).toBe('SESSION_INVALID')
    expect(await readErrorCode(handlers.replaceLegalMentions({ mentions: complete }, call))).toBe(
      'SESSION_INVALID',
    )
    expect(await readErrorCode(handlers.createApiKey({ name: 'x' }, call))).toBe('SESSION_INVALID')
  })
})
