import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { digestApiKey } from '@einvoicing/access/api-key'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { eventually } from '@einvoicing/servers/eventually'
import Database from 'libsql'
import { createCall, anonymous, OrganizationsUnderTest } from './testdata/organizations-under-test'

let underTest: OrganizationsUnderTest

beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
})
afterEach(() => underTest.remove())

describe('the pepper', () => {
  const [one, other, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [
    string,
    string,
    string,
  ]
  const pepper = (...lines: string[]) => {
    const file = underTest.file(`pepper-${randomUUID()}`)
    fs.writeFileSync(file, lines.join('\n'))
    return file
  }
  const open = (...lines: string[]) => underTest.open({ apiKeyPepperFile: pepper(...lines) })
  const wrong = /^API_KEY_PEPPER_FILE does not contain[^]*add that pepper as a second line/

  it('cannot be added, changed or removed at once, after keys were stored', async () => {
    await expect(open(one)).rejects.toThrow(wrong)
    const store = underTest.store('peppered.db')
    await underTest.open({ store, apiKeyPepperFile: pepper(one) })
    for (const apiKeyPepperFile of [pepper(other), pepper(other, third), undefined]) {
      await expect(underTest.open({ store, apiKeyPepperFile })).rejects.toThrow(wrong)
    }
    await underTest.open({ store, apiKeyPepperFile: pepper(` ${one}\n`) })
  })

  it('must be readable and long', async () => {
    await expect(underTest.open({ apiKeyPepperFile: underTest.file('absent') })).rejects.toThrow(
      /API_KEY_PEPPER_FILE cannot be read: .*absent/,
    )
    await expect(open('c'.repeat(31))).rejects.toThrow(/at least 32 characters/)
    await expect(open(one, 'None')).rejects.toThrow(/line 2 must hold at least 32 characters/)
  })

  const readFiles = () =>
    new Database(underTest.file('organizations.db'))
      .prepare('SELECT hex(digest) AS digest, pepper FROM api_key')
      .all([]) as { digest: string; pepper: string | null }[]
  const refused = { code: 'API_KEY_INVALID' }

  it('is added to keys kept without, and each key moves to it at its next use', async () => {
    const call = createCall(await underTest.signUp())
    const [used, unused, revoked] = [
      await underTest.createKey(call),
      await underTest.createKey(call),
      await underTest.createKey(call),
    ]
    await underTest.handlers.revokeApiKey({ apiKeyId: revoked.id }, call)
    // As stored by versions with one pepper.
    new Database(underTest.file('organizations.db')).exec('UPDATE api_key SET pepper = NULL')
    await open(one, 'none')
    for (let time = 0; time < 2; time += 1) {
      expect(await underTest.authenticate(used.key)).toMatchObject({ apiKeyId: used.id })
    }
    await expect(underTest.authenticate(revoked.key)).rejects.toMatchObject(refused)
    const young = await underTest.createKey(call)

    await open(one)
    expect(await underTest.authenticate(used.key)).toMatchObject({ apiKeyId: used.id })
    expect(await underTest.authenticate(young.key)).toMatchObject({ apiKeyId: young.id })
    await expect(underTest.authenticate(unused.key)).rejects.toMatchObject(refused)
    await expect(underTest.authenticate(revoked.key)).rejects.toMatchObject(refused)

    await open(one, 'none')
    expect(await underTest.authenticate(unused.key)).toMatchObject({ apiKeyId: unused.id })
    await expect(underTest.authenticate(revoked.key)).rejects.toMatchObject(refused)
  })

  it('is renewed while processes one restart apart serve the same keys; no key moves back', async () => {
    const second = new OrganizationsUnderTest()
    const store = underTest.store('organizations.db')
    const steps = [[one], [one, other], [other, one], [other]]
    const fresh = underTest.store('fresh.db')
    await underTest.open({ store: fresh, apiKeyPepperFile: pepper(one) })
    const call = createCall(await underTest.signUp())
    const keys = [await underTest.createKey(call)]
    for (let step = 0; step + 1 < steps.length; step += 1) {
      await second.open({ store: fresh, apiKeyPepperFile: pepper(...steps[step]!) })
      await underTest.open({ store: fresh, apiKeyPepperFile: pepper(...steps[step + 1]!) })
      keys.push(await underTest.createKey(call), await second.createKey(call))
      for (let time = 0; time < 2; time += 1) {
        for (const { key, id } of keys) {
          for (const one of [underTest, second]) {
            expect(await one.authenticate(key)).toMatchObject({ apiKeyId: id })
          }
        }
      }
    }
    await second.remove()
    await underTest.open({ store })
  })

  it('does not start without the one that came last, nor with one that was never in use alone', async () => {
    const store = underTest.store('peppered.db')
    const start = (...lines: string[]) =>
      underTest.open({ store, apiKeyPepperFile: pepper(...lines) })
    await start(one)
    await start(other, one)
    await expect(start(one)).rejects.toThrow(wrong)
    await expect(start(third, one)).rejects.toThrow(wrong)
    await start(one, other)
    await start(third, other, one)
    await expect(start(other, one)).rejects.toThrow(wrong)
    await start(third)
  })

  it('moves keys to later peppers, never to earlier ones', async () => {
    const call = createCall(await underTest.signUp())
    const { key } = await underTest.createKey(call)
    await open(one, 'none')
    await underTest.authenticate(key)
    await open('none', one)
    const before = readFiles()
    await underTest.authenticate(key)
    await open('none', one)
    expect(readFiles()).toEqual(before)
    expect(before[0]?.pepper).toMatch(/^[0-9a-f]{64}$/)
    expect(before[0]?.digest).not.toBe(digestApiKey(key).toString('hex').toUpperCase())
  })

  describe('reports', () => {
    let logged: string[]
    const openEvents = async (...lines: string[]) => {
      logged = []
      const stream = new PassThrough().on('data', (line: Buffer) => logged.push(line.toString()))
      await underTest.open({ apiKeyPepperFile: pepper(...lines) }, createLog('info', stream))
      await new Promise(setImmediate)
    }
    const gauge = async () => {
      const { values } = (await metrics
        .getSingleMetric('einvoicing_api_keys_under_older_pepper')!
        .get()) as { values: { labels: { line?: string }; value: number }[] }
      return Object.fromEntries(values.map(({ labels, value }) => [labels.line, value]))
    }

    it('reports how many keys are left under an older pepper', async () => {
      const call = createCall(await underTest.signUp())
      const { key } = await underTest.createKey(call)
      await underTest.createKey(call)
      await openEvents(one, 'none')
      expect(logged.join('')).toMatch(/"keys":2,"line":"2",.*keep the line until no key uses it/)
      expect(await gauge()).toMatchObject({ '2': 2 })
      await underTest.authenticate(key)
      await openEvents(one)
      expect(logged.join('')).toMatch(/"level":"warn",.*"keys":1,.*rejected as unknown until/)
      expect(await gauge()).toMatchObject({ missing: 1 })
      const { apiKeys } = await underTest.handlers.listApiKeys({}, call)
      for (const { id } of apiKeys) await underTest.handlers.revokeApiKey({ apiKeyId: id }, call)
      await openEvents(one, 'none')
      expect(logged.join('')).toMatch(/"line":"2",.*no API key uses this older line/)
      expect(await gauge()).toMatchObject({ '2': 0, missing: 0 })
    })

    it('reports no key that has expired: no use can move it', async () => {
      const call = createCall(await underTest.signUp())
      const expiresAt = new Date(underTest.nowMs + 1).toISOString()
      await underTest.createKey(call, 'CI', { expiresAt })
      await openEvents(one, 'none')
      expect(await gauge()).toMatchObject({ '2': 1 })
      underTest.nowMs += 1
      await openEvents(one, 'none')
      expect(logged.join('')).toMatch(/"line":"2",.*no API key uses this older line/)
      expect(await gauge()).toMatchObject({ '2': 0 })
    })

    it('with no mark when there ever was one', async () => {
      await underTest.createKey(createCall(await underTest.signUp()))
      await openEvents('none')
      expect(logged).toEqual([])
    })
  })
})

describe('the demo', () => {
  it('is a complete organization with a user and a key, made once, sign-up open or closed', async () => {
    await underTest.open({ signUp: 'closed' })
    const demo = await underTest.service.createDemo()
    if (!demo) throw new Error('no demo was made')
    const { missing, organizationId } = await underTest.authenticate(demo.apiKey)
    expect(missing).toEqual([])
    expect(await underTest.signIn(demo.email, demo.password)).toMatchObject({ organizationId })
    expect(await underTest.service.createDemo()).toBeUndefined()
  })

  it('is not created when any organization exists', async () => {
    await underTest.signUp()
    expect(await underTest.service.createDemo()).toBeUndefined()
  })
})

describe('at start', () => {
  it('refuses a damaged store with a sentence that names it', async () => {
    const store = underTest.store('damaged.db')
    fs.writeFileSync(store.file, 'no database '.repeat(1000))
    await expect(underTest.open({ store })).rejects.toMatchObject({
      name: 'SettingsError',
      message: expect.stringContaining(`${store.file} is damaged or is not a database`) as string,
    })
  })
})

describe('at the end', () => {
  it('stores failed sign-ins before it waits for the mail server', async () => {
    const sockets: net.Socket[] = []
    const server = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = new URL(`smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`)
    const from = 'a@b.example'
    const mail = { transport: { kind: 'smtp', url }, from, publicUrl: 'https://a.example' } as const
    await underTest.open({ mail })
    const { email } = await underTest.signUp()
    await eventually(() => expect(sockets).toHaveLength(1))
    const fail = () => expect(underTest.signIn(email, 'a wrong password')).rejects.toThrow()
    const details = () =>
      new Database(underTest.file('organizations.db'))
        .prepare("SELECT entry FROM audit WHERE entry ->> '$.action' = 'user.sign-in-failed'")
        .all([])
    await fail()
    await eventually(() => expect(details()).toHaveLength(1))
    // Counted in memory for the next minute.
    await fail()
    const closed = underTest.close()
    await Promise.race([closed, wait(1_000)])
    expect(details()).toHaveLength(2)
    for (const socket of sockets) socket.destroy()
    server.close()
    await closed
  })
})

it('says that it is ready', async () => {
  expect(await underTest.handlers.checkOrganizations({}, anonymous)).toEqual({
    dependencies: [{ name: 'sqlite', essential: true, problem: '' }],
  })
})
