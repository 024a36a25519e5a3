import { limits } from '@einvoicing/domain/limits'
import { mentionsNamed } from './legal-mentions'
import {
  createCall,
  clientAddress,
  readErrorCode,
  device,
  fakeTimeOfDay,
  anonymous,
  OrganizationsUnderTest,
  password,
} from './testdata/organizations-under-test'

const timeOfDay = fakeTimeOfDay()
let underTest: OrganizationsUnderTest

beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
})
afterEach(() => underTest.remove())

describe('signing up', () => {
  it('makes an organization with its name and its first user, audited', async () => {
    const identity = await underTest.handlers.signUp(
      {
        organizationName: ' Société ',
        email: ' Anna@Example.com',
        password,
        clientAddress,
        device,
      },
      anonymous,
    )
    expect(identity.email).toBe('anna@example.com')
    const call = createCall(identity)
    const { mentions, missing } = await underTest.handlers.getOrganization({}, call)
    expect(mentions).toEqual(mentionsNamed('Société'))
    expect(missing).toEqual(['address', 'city', 'ice', 'if', 'rc', 'tp'])
    expect(await underTest.listAudit(call)).toEqual([
      {
        at: '2026-05-03T10:00:00.000Z',
        actor: 'user:anna@example.com',
        action: 'organization.created',
        detail: 'Société',
        network: clientAddress,
        device,
        seq: 1,
        previous: '0'.repeat(64),
        hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    ])
  })

  it('reports every invalid field', async () => {
    const answer = underTest.handlers.signUp(
      { organizationName: ' ', email: 'x', password: 'short', clientAddress, device },
      anonymous,
    )
    await expect(answer).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fieldErrors: [{ field: 'organizationName' }, { field: 'email' }, { field: 'password' }],
    })
  })

  it('estimates the strength of a password only within the limit of attempts', async () => {
    const signUp = (weak: string) =>
      readErrorCode(
        underTest.handlers.signUp(
          { organizationName: 'S', email: 'a@b.ma', password: weak, clientAddress, device },
          anonymous,
        ),
      )
    for (let attempt = 0; attempt < limits.signUpsPerMinute; attempt += 1) {
      expect(await signUp('motdepasse1')).toBe('VALIDATION_ERROR')
    }
    expect(await signUp('motdepasse1')).toBe('TOO_MANY_ATTEMPTS')
    // Found without work, and not counted.
    expect(await signUp('short')).toBe('VALIDATION_ERROR')
    timeOfDay.pass(60_000)
    expect(await signUp('motdepasse1')).toBe('VALIDATION_ERROR')
    expect(await signUp(password)).toBe('OK')
  })

  it('refuses an email that is taken, in capitals too, and when two come at once', async () => {
    await underTest.signUp('a@example.com')
    expect(await readErrorCode(underTest.signUp('A@example.com'))).toBe('EMAIL_TAKEN')
    const two = await Promise.all([
      readErrorCode(underTest.signUp('b@example.com')),
      readErrorCode(underTest.signUp('b@example.com')),
    ])
    expect(two.sort()).toEqual(['EMAIL_TAKEN', 'OK'])
  })

  it(`shows ${limits.wrongGuesses} taken emails to one network in a quarter of an hour`, async () => {
    await underTest.signUp('a@example.com', '198.51.100.7')
    const probe = (from?: string) => readErrorCode(underTest.signUp('a@example.com', from))
    expect(await readErrorCode(underTest.signUp('b@example.com'))).toBe('OK')
    for (let n = 0; n < limits.wrongGuesses; n += 1) {
      if (n % 25 === 0) timeOfDay.pass(60_000)
      expect(await probe()).toBe('EMAIL_TAKEN')
    }
    timeOfDay.pass(60_000)
    expect(await probe()).toBe('TOO_MANY_ATTEMPTS')
    expect(await readErrorCode(underTest.signUp('c@example.com'))).toBe('TOO_MANY_ATTEMPTS')
    expect(await probe('192.0.2.2')).toBe('EMAIL_TAKEN')
    timeOfDay.pass(limits.wrongPasswordsWindowMs)
    expect(await probe()).toBe('EMAIL_TAKEN')
  })

  it('is refused to all when it is closed', async () => {
    await underTest.open({ signUp: 'closed' })
    expect(await readErrorCode(underTest.signUp())).toBe('SIGNUP_CLOSED')
  })

  it('is allowed thirty times a minute from one address', async () => {
    const codes = await Promise.all(
      Array.from({ length: 30 }, () => readErrorCode(underTest.signUp())),
    )
    expect(new Set(codes)).toEqual(new Set(['OK']))
    await expect(underTest.signUp()).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
      retryAfterSeconds: expect.any(Number),
    })
    expect(await readErrorCode(underTest.signUp(undefined, '192.0.2.2'))).toBe('OK')
    timeOfDay.pass(60_000)
    expect(await readErrorCode(underTest.signUp())).toBe('OK')
  })
})
