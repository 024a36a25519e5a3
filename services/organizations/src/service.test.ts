import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { PassThrough } from 'node:stream'
import { digestApiKey } from '@einvoicing/access/api-key'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import Database from 'libsql'
import { createCall, nobody, OrganizationsUnderTest } from './testdata/organizations-under-test'

let room: OrganizationsUnderTest

beforeEach(async () => {
  room = new OrganizationsUnderTest()
  await room.open()
})
afterEach(() => room.remove())

describe('the pepper', () => {
  const [one, other, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [
    string,
    string,
    string,
  ]
  const pepper = (...lines: string[]) => {
    const file = room.file(`pepper-${randomUUID()}`)
    fs.writeFileSync(file, lines.join('\n'))
    return file
  }
  const open = (...lines: string[]) => room.open({ apiKeyPepperFile: pepper(...lines) })
  const wrong = /^API_KEY_PEPPER_FILE is not what[^]*add that pepper as a second line/

  it('cannot be given, changed or taken away at once, once keys were kept', async () => {
    await expect(open(one)).rejects.toThrow(wrong)
    const store = room.store('peppered.db')
    await room.open({ store, apiKeyPepperFile: pepper(one) })
    for (const apiKeyPepperFile of [pepper(other), pepper(other, third), undefined]) {
      await expect(room.open({ store, apiKeyPepperFile })).rejects.toThrow(wrong)
    }
    await room.open({ store, apiKeyPepperFile: pepper(` ${one}\n`) })
  })

  it('must be readable and long', async () => {
    await expect(room.open({ apiKeyPepperFile: room.file('absent') })).rejects.toThrow(
      /API_KEY_PEPPER_FILE cannot be read: .*absent/,
    )
    await expect(open('c'.repeat(31))).rejects.toThrow(/at least 32 characters/)
    await expect(open(one, 'None')).rejects.toThrow(/line 2 must hold at least 32 characters/)
  })

  /** What the store keeps of each live key. */
  const kept = () =>
    new Database(room.file('organizations.db'))
      .prepare('SELECT hex(digest) AS digest, pepper FROM api_key')
      .all([]) as { digest: string; pepper: string | null }[]
  const refused = { code: 'API_KEY_INVALID' }

  it('is added to keys kept without, and each key moves to it at its next use', async () => {
    const call = createCall(await room.signUp())
    const [used, unused, revoked] = [
      await room.createKey(call),
      await room.createKey(call),
      await room.createKey(call),
    ]
    await room.handlers.revokeApiKey({ apiKeyId: revoked.id }, call)
    // As versions that knew one pepper kept them.
    new Database(room.file('organizations.db')).exec('UPDATE api_key SET pepper = NULL')
    await open(one, 'none')
    for (let time = 0; time < 2; time += 1) {
      expect(await room.authenticate(used.key)).toMatchObject({ apiKeyId: used.id })
    }
    await expect(room.authenticate(revoked.key)).rejects.toMatchObject(refused)
    const young = await room.createKey(call)

    await open(one)
    expect(await room.authenticate(used.key)).toMatchObject({ apiKeyId: used.id })
    expect(await room.authenticate(young.key)).toMatchObject({ apiKeyId: young.id })
    await expect(room.authenticate(unused.key)).rejects.toMatchObject(refused)
    await expect(room.authenticate(revoked.key)).rejects.toMatchObject(refused)

    await open(one, 'none')
    expect(await room.authenticate(unused.key)).toMatchObject({ apiKeyId: unused.id })
    await expect(room.authenticate(revoked.key)).rejects.toMatchObject(refused)
  })

  it('is renewed while processes one restart apart serve the same keys, and move none back', async () => {
    const second = new OrganizationsUnderTest()
    const store = room.store('organizations.db')
    const steps = [[one], [one, other], [other, one], [other]]
    const fresh = room.store('fresh.db')
    await room.open({ store: fresh, apiKeyPepperFile: pepper(one) })
    const call = createCall(await room.signUp())
    const keys = [await room.createKey(call)]
    for (let step = 0; step + 1 < steps.length; step += 1) {
      await second.open({ store: fresh, apiKeyPepperFile: pepper(...steps[step]!) })
      await room.open({ store: fresh, apiKeyPepperFile: pepper(...steps[step + 1]!) })
      keys.push(await room.createKey(call), await second.createKey(call))
      for (let time = 0; time < 2; time += 1) {
        for (const { key, id } of keys) {
          for (const one of [room, second]) {
            expect(await one.authenticate(key)).toMatchObject({ apiKeyId: id })
          }
        }
      }
    }
    await second.remove()
    await room.open({ store })
  })

  it('does not start without the one that came last, nor with one that was never in use alone', async () => {
    const store = room.store('peppered.db')
    const start = (...lines: string[]) => room.open({ store, apiKeyPepperFile: pepper(...lines) })
    await start(one)
    await start(other, one)
    await expect(start(one)).rejects.toThrow(wrong)
    await expect(start(third, one)).rejects.toThrow(wrong)
    await start(one, other) // back: nothing is refused, and nothing moves back
    await start(third, other, one)
    await expect(start(other, one)).rejects.toThrow(wrong)
    await start(third)
  })

  it('moves keys to what came later, never to what went before', async () => {
    const call = createCall(await room.signUp())
    const { key } = await room.createKey(call)
    await open(one, 'none')
    await room.authenticate(key)
    await open('none', one)
    const before = kept()
    await room.authenticate(key)
    await open('none', one)
    expect(kept()).toEqual(before)
    expect(before[0]?.pepper).toMatch(/^[0-9a-f]{64}$/)
    expect(before[0]?.digest).not.toBe(digestApiKey(key).toString('hex').toUpperCase())
  })

  describe('is told of', () => {
    let logged: string[]
    const openTold = async (...lines: string[]) => {
      logged = []
      const stream = new PassThrough().on('data', (line: Buffer) => logged.push(line.toString()))
      await room.open({ apiKeyPepperFile: pepper(...lines) }, createLog('info', stream))
      await new Promise(setImmediate)
    }
    const gauge = async () => {
      const { values } = (await metrics
        .getSingleMetric('einvoicing_api_keys_under_older_pepper')!
        .get()) as { values: { labels: { line?: string }; value: number }[] }
      return Object.fromEntries(values.map(({ labels, value }) => [labels.line, value]))
    }

    it('by how many keys are left under an older one, until it may go', async () => {
      const call = createCall(await room.signUp())
      const { key } = await room.createKey(call)
      await room.createKey(call)
      await openTold(one, 'none')
      expect(logged.join('')).toMatch(/"keys":2,"line":"2",.*must stay until none is left/)
      expect(await gauge()).toMatchObject({ '2': 2 })
      await room.authenticate(key)
      await openTold(one)
      expect(logged.join('')).toMatch(/"level":"warn",.*"keys":1,.*refused as unknown until/)
      expect(await gauge()).toMatchObject({ missing: 1 })
      const { apiKeys } = await room.handlers.listApiKeys({}, call)
      for (const { id } of apiKeys) await room.handlers.revokeApiKey({ apiKeyId: id }, call)
      await openTold(one, 'none')
      expect(logged.join('')).toMatch(/"line":"2",.*no API key is left .*: it may go/)
      expect(await gauge()).toMatchObject({ '2': 0, missing: 0 })
    })

    it('with no word where there was ever one', async () => {
      await room.createKey(createCall(await room.signUp()))
      await openTold('none')
      expect(logged).toEqual([])
    })
  })
})

describe('the demo', () => {
  it('is a complete organization with a user and a key, made once, sign-up open or closed', async () => {
    await room.open({ signUp: 'closed' })
    const demo = await room.service.createDemo()
    if (!demo) throw new Error('no demo was made')
    const { missing, organizationId } = await room.authenticate(demo.apiKey)
    expect(missing).toEqual([])
    expect(await room.signIn(demo.email, demo.password)).toMatchObject({ organizationId })
    expect(await room.service.createDemo()).toBeUndefined()
  })

  it('is not made where there is an organization', async () => {
    await room.signUp()
    expect(await room.service.createDemo()).toBeUndefined()
  })
})

describe('at start', () => {
  it('refuses a damaged store with a sentence that names it', async () => {
    const store = room.store('damaged.db')
    fs.writeFileSync(store.file, 'no database '.repeat(1000))
    await expect(room.open({ store })).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining(`${store.file} is damaged or is no database`) as string,
    })
  })
})

it('says that it is ready', async () => {
  expect(await room.handlers.checkOrganizations({}, nobody)).toEqual({
    dependencies: [{ name: 'sqlite', essential: true, fault: '' }],
  })
})
