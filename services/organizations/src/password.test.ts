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

const lane = '192.0.2.1'

describe('Passwords', () => {
  let passwords: Passwords

  beforeAll(async () => {
    passwords = await Passwords.open()
  })

  it('are hashed by argon2id with 19 MiB and 2 passes, salted', async () => {
    const [one, two] = [
      await passwords.hash('the same', lane),
      await passwords.hash('the same', lane),
    ]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
  })

  it('match what was hashed and nothing else', async () => {
    const hash = await passwords.hash('correct horse', lane)
    expect(await passwords.matches('correct horse', hash, lane)).toBe(true)
    expect(await passwords.matches('correct horse ', hash, lane)).toBe(false)
    expect(await passwords.matches('Correct horse', hash, lane)).toBe(false)
    expect(await passwords.matches('', hash, lane)).toBe(false)
  })

  it('match in any Unicode composition of accents', async () => {
    const hash = await passwords.hash('caf\u00E9 noir', lane)
    expect(await passwords.matches('cafe\u0301 noir', hash, lane)).toBe(true)
  })

  it('do not match by their first 256 characters', async () => {
    const hash = await passwords.hash('x'.repeat(256), lane)
    expect(await passwords.matches('x'.repeat(256), hash, lane)).toBe(true)
    expect(await passwords.matches('x'.repeat(257), hash, lane)).toBe(false)
  })

  it('match nothing for an unknown user, not even the dummy hash', async () => {
    expect(await passwords.matches('no user has this password', undefined, lane)).toBe(false)
  })

  it('wait in a queue that has an end, and go on when it is shorter again', async () => {
    const underTest = hashesAtOnce + hashesWaitingMax
    const outcomes = await Promise.allSettled(
      Array.from({ length: underTest + 3 }, () => passwords.matches('x', undefined, lane)),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(3)
    expect(refused[0]?.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 })
    expect(await passwords.matches('x', undefined, lane)).toBe(false)
  })

  it('take turns by lane, and a full queue has space for another lane', async () => {
    const done: string[] = []
    const check = async (from: string) => {
      try {
        await passwords.matches('x', undefined, from)
        done.push(from)
      } catch {
        done.push(`not ${from}`)
      }
    }
    const flood = Array.from({ length: hashesAtOnce + hashesWaitingMax }, () => check(lane))
    await Promise.all([...flood, check('198.51.100.7'), check('203.0.113.9')])
    const others = ['198.51.100.7', '203.0.113.9'].map((one) => done.indexOf(one))
    expect(Math.min(...others)).toBeGreaterThan(0)
    expect(Math.max(...others)).toBeLessThan(10)
    expect(done.filter((one) => one === `not ${lane}`)).toHaveLength(2)
  })

  it('have space for another network when one site waits from many of its networks', async () => {
    const networks = Array.from({ length: hashesAtOnce + hashesWaitingMax }, (_, index) => {
      return `2001:db8:1:${index.toString(16)}::/64`
    })
    const waiting = networks.map((network) => passwords.matches('x', undefined, network))
    const outcomes = Promise.allSettled(waiting)
    expect(await passwords.matches('x', undefined, '198.51.100.7')).toBe(false)
    const refused = (await outcomes).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(1)
  })
})
