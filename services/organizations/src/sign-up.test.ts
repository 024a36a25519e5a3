import { mentionsNamed } from './legal-mentions'
import {
  createCall,
  clientAddress,
  readErrorCode,
  device,
  fakeTimeOfDay,
  nobody,
  OrganizationsUnderTest,
  password,
} from './testdata/organizations-under-test'

const timeOfDay = fakeTimeOfDay()
let room: OrganizationsUnderTest

beforeEach(async () => {
  room = new OrganizationsUnderTest()
  await room.open()
})
afterEach(() => room.remove())

describe('signing up', () => {
  it('makes an organization with its name and its first user, audited', async () => {
    const identity = await room.handlers.signUp(
      {
        organizationName: ' Société ',
        email: ' Anna@Example.com',
        password,
        clientAddress,
        device,
      },
      nobody,
    )
    expect(identity.email).toBe('anna@example.com')
    const call = createCall(identity)
    const { mentions, missing } = await room.handlers.getOrganization({}, call)
    expect(mentions).toEqual(mentionsNamed('Société'))
    expect(missing).toEqual(['address', 'city', 'ice', 'if', 'rc', 'tp'])
    expect(await room.listAudit(call)).toEqual([
      {
        at: '2026-05-03T10:00:00.000Z',
        actor: 'user:anna@example.com',
        action: 'organization.created',
        detail: 'Société',
      },
    ])
  })

  it('tells every field at fault', async () => {
    const answer = room.handlers.signUp(
      { organizationName: ' ', email: 'x', password: 'short', clientAddress, device },
      nobody,
    )
    await expect(answer).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'organizationName' }, { field: 'email' }, { field: 'password' }],
    })
  })

  it('refuses an email that is taken, in capitals too, and when two come at once', async () => {
    await room.signUp('a@example.com')
    expect(await readErrorCode(room.signUp('A@example.com'))).toBe('EMAIL_TAKEN')
    const two = await Promise.all([
      readErrorCode(room.signUp('b@example.com')),
      readErrorCode(room.signUp('b@example.com')),
    ])
    expect(two.sort()).toEqual(['EMAIL_TAKEN', 'OK'])
  })

  it('is refused to all when it is closed', async () => {
    await room.open({ signUp: 'closed' })
    expect(await readErrorCode(room.signUp())).toBe('SIGNUP_CLOSED')
  })

  it('is allowed thirty times a minute from one address', async () => {
    const codes = await Promise.all(Array.from({ length: 30 }, () => readErrorCode(room.signUp())))
    expect(new Set(codes)).toEqual(new Set(['OK']))
    await expect(room.signUp()).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      retryAfterSeconds: expect.any(Number),
    })
    expect(await readErrorCode(room.signUp(undefined, '192.0.2.2'))).toBe('OK')
    timeOfDay.pass(60_000)
    expect(await readErrorCode(room.signUp())).toBe('OK')
  })
})
