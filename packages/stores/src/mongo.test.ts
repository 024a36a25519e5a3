import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { mongo as driver } from 'mongoose'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import { openMongo, type Mongo, type MongoTimes } from './mongo'
import { databaseName, readMongoConfig, type MongoConfig } from './mongo-config'
import { tooOld } from './mongo-failures'
import { ApiError } from '@einvoicing/domain/api-error'
import type { MongoAddition, MongoMigration } from './mongo-migrations'
import { patientTimes as patient } from './testdata/patient-times'

type Step = MongoMigration | MongoAddition

const log = createLog('silent')
const passing = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 }
const config = (url: string, passwordFile?: string): MongoConfig => ({
  kind: 'mongodb',
  url,
  passwordFile,
})
const openWith = (times: Partial<MongoTimes>, url: string, steps: Step[] = []): Promise<Mongo> =>
  openMongo(config(url), { what: 'The store', migrations: { name: 'things', steps }, log, times })
const open = (url: string, steps?: Step[]) => openWith(patient, url, steps)
const openAsUsual = (url: string) => openWith({}, url)

describe('settings of MongoDB', () => {
  const read = (settings: Record<string, string>) => {
    const env = new EnvReader(settings)
    const read = readMongoConfig(env)
    env.throwErrors()
    return read
  }

  it('are both absent', () => expect(read({})).toBeUndefined())

  it('names the database, or uses our default', () => {
    const named = read({ MONGODB_URL: 'mongodb://a:1,b:2/facturation?replicaSet=rs' })
    expect(databaseName(named!)).toBe('facturation')
    expect(databaseName(config('mongodb://a:1,b:2/?replicaSet=rs'))).toBe('einvoicing')
    expect(databaseName(config('mongodb://u:p%2F@a'))).toBe('einvoicing')
  })

  it.each([
    [{ MONGODB_PASSWORD_FILE: 'f' }, /MONGODB_URL is not: set both or none/],
    [{ MONGODB_URL: 'mongodb://a/', MONGODB_PASSWORD_FILE: 'f' }, /names no user/],
    [{ MONGODB_URL: 'mongodb://u@a/' }, /names a user but no password: .*MONGODB_PASSWORD_FILE/],
    [
      { MONGODB_URL: 'mongodb://u:s3cr3t@a/' },
      /must not contain a password: .*MONGODB_PASSWORD_FILE/,
    ],
    [{ MONGODB_URL: 'mongodb://a/?directConnection=true' }, /leave it out/],
    [{ MONGODB_URL: 'http://u:s3cr3t@a/' }, /must be a URL that begins with mongodb:/],
  ])('are refused when half set or of another kind: %j', (settings, sentence) => {
    expect(() => read(settings)).toThrow(sentence)
    expect(() => read(settings)).not.toThrow(/s3cr3t/)
  })

  it('the driver rejects them with a message without the address', async () => {
    const refused = open('mongodb://u:s3cr3t@a:1,b/?nonsense=1')
    await expect(refused).rejects.toThrow(SettingsError)
    await expect(refused).rejects.toThrow(/^MONGODB_URL cannot be used: .*nonsense/)
    await expect(refused).rejects.not.toThrow(/s3cr3t/)
  })

  it('require a recent version', () => {
    expect(tooOld('5.0.14')).toMatch(/^MONGODB_URL: MongoDB 6.0 or later .* 5.0.14: upgrade it$/)
    expect([tooOld('6.0.5'), tooOld('8.0.1'), tooOld('10.0.0')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describeWithOwn('mongod', 'MongoDB that will not do', () => {
  let server: Mongod
  afterEach(() => server.dispose())

  it('exits at start without a replica set, whatever the URL says', async () => {
    server = await startMongod({ standalone: true })
    const address = /127\.0\.0\.1:\d+/.exec(server.url)![0]
    await expect(open(`mongodb://${address}/`)).rejects.toThrow(/not in a replica set.*--replSet/)
    // Known only when the driver has waited for another server.
    const named = openWith(
      { ...patient, selectionMs: 8_000 },
      `mongodb://${address}/?replicaSet=rs`,
    )
    await expect(named).rejects.toThrow(/none of its servers is a member of.*replicaSet/)
  })

  it('exits at start for a rejected password, read from its file', async () => {
    server = await startMongod({ credentials: { user: 'invoicing', password: 'r/i@g:h?t' } })
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mongo-'))
    const passwordFile = path.join(folder, 'password')
    const nameless = server.url.replace(/:\/\/([^:]*):[^@]*@/, '://$1@')
    const migrations = { name: 'things', steps: [] }
    const options = { what: 'The store', migrations, log, times: patient }

    fs.writeFileSync(passwordFile, 'wrong\n')
    const refused = openMongo(config(nameless, passwordFile), options)
    await expect(refused).rejects.toThrow(/refuses the user or the password/)
    fs.writeFileSync(passwordFile, 'r/i@g:h?t\n')
    const mongo = await openMongo(config(nameless, passwordFile), options)
    await mongo.check()
    await mongo.close()
    fs.rmSync(folder, { recursive: true })
  })
})

describeWithOwn('mongod', 'MongoDB that stops and starts', () => {
  let server: Mongod
  let mongo: Mongo
  beforeAll(async () => (server = await startMongod()))
  afterAll(() => server.dispose())
  afterEach(() => mongo.close())

  const insert = (_id: string) =>
    mongo.write((db) => db.collection<{ _id: string }>('things').insertOne({ _id }))
  const count = () => mongo.read((db) => db.collection('things').countDocuments())

  it('waits for it when it is unavailable at start', async () => {
    await server.stop()
    mongo = await openAsUsual(server.url)
    await expect(mongo.check()).rejects.toMatchObject(passing)
    await expect(count()).rejects.toMatchObject(passing)
    await server.start()
    await eventually(() => mongo.check())
    expect(await count()).toBe(0)
  })

  it('fails within the deadline while it hangs, and is used again when it resumes', async () => {
    mongo = await openAsUsual(server.url)
    await eventually(() => insert('before'))
    await server.pause()
    const began = Date.now()
    const pending = [mongo.check(), count(), insert('during')].map((work) =>
      work.catch((e: unknown) => e),
    )
    const [check, counted, inserted] = await Promise.all(pending)
    expect(Date.now() - began).toBeLessThan(15_000)
    expect(check).toMatchObject(passing)
    expect(counted).toMatchObject({ ...passing, message: /nothing was stored/ })
    expect(inserted).toMatchObject({ ...passing, message: /may or may not/ })
    await server.resume()
    await eventually(() => mongo.check())
    expect(await count()).toBeGreaterThan(0)
  })

  it('gets a time limit with each read', async () => {
    mongo = await open(server.url)
    await insert('limited')
    const limits = await mongo.write(async (db) => {
      const things = db.collection('things')
      await db.command({ profile: 2 })
      await Promise.all([
        things.find().toArray(),
        things.findOne({ name: 'x' }),
        things.aggregate([{ $match: {} }]).toArray(),
        things.countDocuments(),
        things.estimatedDocumentCount(),
        things.distinct('name'),
        things.findOne({}, { maxTimeMS: 77 }),
      ])
      await db.command({ profile: 0 })
      const seen = db.collection('system.profile').find({ ns: `${db.databaseName}.things` })
      return (await seen.toArray()).map((one) => (one['command'] as driver.Document)['maxTimeMS'])
    })
    expect(limits.toSorted()).toEqual([...Array<number>(6).fill(3_500), 77])
  })

  it('ends a read that takes too long by itself, and the read may be retried', async () => {
    mongo = await open(server.url)
    await insert(randomUUID())
    const slow = () =>
      mongo.read((db) => db.collection('things').findOne({ $where: 'sleep(60000) || true' }))
    const running = () =>
      mongo.read(async (db) => {
        const slowOnes = { currentOp: 1, 'command.filter.$where': { $exists: true } }
        return ((await db.admin().command(slowOnes)) as { inprog: unknown[] }).inprog
      })
    const seen: unknown[] = []
    const isSeen = () => seen.length > 0
    const ends: unknown[] = []
    const note = (end: unknown) => ends.push(end)
    // A pause of this process may last until it has ended: then it is not seen.
    while (!isSeen()) {
      const before = ends.length
      const ended = slow().then(note, note)
      do seen.push(...(await running()))
      while (!isSeen() && ends.length === before)
      await ended
    }
    expect(seen).toHaveLength(1)
    // Ended by the server: the connection is not lost.
    for (const end of ends) expect(end).toMatchObject({ ...passing, cause: { code: 50 } })
    await eventually(async () => expect(await running()).toEqual([]))
  })

  /** Failures of continuous work while `breaking` runs. */
  async function failuresUnder(breaking: () => Promise<void>): Promise<Error[]> {
    const failures: Error[] = []
    let going = true
    let done = 0
    const transaction = () =>
      mongo.write(async (db) => {
        const session = db.client.startSession()
        try {
          await session.withTransaction(() =>
            db.collection('things').insertOne({ name: 'x' }, { session }),
          )
        } finally {
          await session.endSession()
        }
      })
    const all = () =>
      mongo.read((db) => db.collection('things').find().batchSize(2).limit(50).toArray())
    const works = [count, all, () => insert(randomUUID()), transaction, () => mongo.check()]
    const working = Array.from({ length: 15 }, async (_, index) => {
      const work = works[index % works.length]!
      while (going) {
        try {
          await work()
          done += 1
        } catch (error) {
          failures.push(error as Error)
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    await eventually(async () => expect(done).toBeGreaterThan(100))
    await breaking()
    going = false
    await Promise.all(working)
    return failures
  }

  const expectPassing = (failures: readonly Error[]) => {
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) {
      if (!(failure instanceof ApiError))
        throw new Error(`a defect: ${failure.stack}`, { cause: failure })
      expect(failure).toMatchObject(passing)
    }
  }

  it('is never a defect when it is killed again and again under load', async () => {
    mongo = await openAsUsual(server.url)
    const failures = await failuresUnder(async () => {
      for (let round = 0; round < 6; round += 1) {
        await server.kill9()
        await server.start()
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    })
    expectPassing(failures)
    await eventually(() => mongo.check())
  })

  it('is never a defect when its connections break under load', async () => {
    const { port } = new URL(server.url.replace('mongodb:', 'http:'))
    const line = await openLine(Number(port))
    mongo = await openAsUsual(`mongodb://127.0.0.1:${line.port}/?directConnection=true`)
    const failures = await failuresUnder(async () => {
      for (let round = 0; round < 60; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        line.cut(round % 2 === 0)
      }
    })
    expectPassing(failures)
    await mongo.close()
    line.close()
  })

  it('runs each migration once more at most, when many start at once', async () => {
    // A database of its own: transactions cut above hold their locks for a minute.
    const url = server.url.replace('/?', '/migrations?')
    let runs = 0
    const steps: Step[] = [
      (db) => (runs++, db.createIndex('things', { name: 1 }, { name: 'things_by_name' })),
    ]
    const many = await Promise.all(Array.from({ length: 4 }, () => open(url, steps)))
    expect(runs).toBeGreaterThan(0)
    const before = runs
    await Promise.all(many.map((one) => one.close()))
    mongo = await open(url, steps)
    expect(runs).toBe(before)
    await expect(open(url)).rejects.toThrow(/newer version of this service \(things 1, known 0\)/)
  })

  it('is tried again when the first attempt fails after the start has stopped waiting', async () => {
    let runs = 0
    const step = async () => {
      runs += 1
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      if (runs === 1) throw new Error('an index cannot be built')
    }
    mongo = await openWith({ ...patient, startMs: 0 }, server.url.replace('/?', '/late?'), [step])
    await eventually(() => mongo.check())
    expect(runs).toBe(2)
  })

  it('starts when an index is built, however long that takes', async () => {
    let isBuilt = false
    const step = async () => {
      await new Promise((resolve) => setTimeout(resolve, 7_000))
      isBuilt = true
    }
    const url = server.url.replace('/?', '/slow?')
    mongo = await openWith({ ...patient, startMs: 5_000 }, url, [{ add: step }])
    expect(isBuilt).toBe(true)
    await mongo.check()
  })

  it('starts after a while without a server', async () => {
    const startedMs = performance.now()
    const times = { selectionMs: 5_000, startMs: 500 }
    mongo = await openWith(times, 'mongodb://127.0.0.1:1/?replicaSet=rs0')
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    await expect(mongo.check()).rejects.toMatchObject(passing)
  })

  it('older versions work with additions, and not with changes', async () => {
    const url = server.url.replace('/?', '/additions?')
    const ran: number[] = []
    const noted = (n: number) => async () => void ran.push(n)
    const older = [noted(1)]
    const newer: Step[] = [...older, { add: noted(2) }]
    await (await open(url, older)).close()
    for (const steps of [newer, older, newer]) await (await open(url, steps)).close()
    expect(ran).toEqual([1, 2])
    const newest = [...newer, noted(3)]
    await (await open(url, newest)).close()
    expect(ran).toEqual([1, 2, 3])
    await (await open(url, newest)).close()
    for (const steps of [older, newer]) {
      await expect(open(url, steps)).rejects.toThrow(
        `newer version of this service (things 3, known ${steps.length})`,
      )
    }
    expect(ran).toEqual([1, 2, 3])
  })
})

/** A proxy whose connections can all be cut, by an end or by a reset. */
async function openLine(target: number) {
  const sockets = new Set<net.Socket>()
  const line = net.createServer((client) => {
    const server = net.connect(target, '127.0.0.1')
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => undefined)
      one.on('close', () => (sockets.delete(one), other.destroy()))
    }
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const cut = (byReset: boolean) => {
    for (const socket of sockets)
      if (byReset) socket.resetAndDestroy()
      else socket.destroy()
  }
  return {
    port: (line.address() as AddressInfo).port,
    cut,
    close() {
      line.close()
      cut(false)
    },
  }
}
