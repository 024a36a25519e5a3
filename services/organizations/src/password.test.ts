import { Passwords, findPasswordError, hashesAtOnce, hashesWaitingMax } from './password'

describe('findPasswordError', () => {
  it.each([10, 256])('allows %i characters', (length) => {
    expect(findPasswordError('x'.repeat(length))).toBeUndefined()
  })

  it.each([
    ['', 'must have at least 10 characters'],
    ['x'.repeat(9), 'must have at least 10 characters'],
    ['x'.repeat(257), 'must have at most 256 characters'],
    [' '.repeat(10), 'must not consist only of spaces'],
  ])('says why %j is refused', (password, reason) => {
    expect(findPasswordError(password)).toContain(reason)
  })
})

describe('Passwords', () => {
  let passwords: Passwords

  beforeAll(async () => {
    passwords = await Passwords.open()
  })

  it('are hashed by argon2id with 19 MiB and 2 passes, salted', async () => {
    const [one, two] = [await passwords.hash('the same'), await passwords.hash('the same')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
  })

  it('match what was hashed and nothing else', async () => {
    const hash = await passwords.hash('correct horse')
    expect(await passwords.matches('correct horse', hash)).toBe(true)
    expect(await passwords.matches('correct horse ', hash)).toBe(false)
    expect(await passwords.matches('Correct horse', hash)).toBe(false)
    expect(await passwords.matches('', hash)).toBe(false)
  })

  it('match in any Unicode composition of accents', async () => {
    const hash = await passwords.hash('caf\u00E9 noir')
    expect(await passwords.matches('cafe\u0301 noir', hash)).toBe(true)
  })

  it('do not match by their first 256 characters', async () => {
    const hash = await passwords.hash('x'.repeat(256))
    expect(await passwords.matches('x'.repeat(256), hash)).toBe(true)
    expect(await passwords.matches('x'.repeat(257), hash)).toBe(false)
  })

  it('match nothing for an unknown user, not even the dummy hash', async () => {
    expect(await passwords.matches('no user has this password', undefined)).toBe(false)
  })

  it('wait in a queue that has an end, and go on when it is shorter again', async () => {
    const underTest = hashesAtOnce + hashesWaitingMax
    const outcomes = await Promise.allSettled(
      Array.from({ length: underTest + 3 }, () => passwords.matches('x', undefined)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(3)
    expect(refused[0]?.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
    expect(await passwords.matches('x', undefined)).toBe(false)
  })
})
