import { MongoClient } from 'mongodb'
import { describeWithOwn } from './describe-with'
import { type Mongod, startMongod } from './mongod'

async function withClient<T>(mongod: Mongod, use: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(mongod.url, {
    serverSelectionTimeoutMS: 5_000,
    socketTimeoutMS: 1_000,
  })
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

const openWords = (client: MongoClient) => client.db('kept').collection<{ _id: number }>('words')
const durable = { writeConcern: { w: 'majority', journal: true } } as const

describeWithOwn('mongod', 'mongod, one member', () => {
  let mongod: Mongod
  beforeAll(async () => {
    mongod = await startMongod()
  })
  afterAll(() => mongod.dispose())

  test('what it acknowledged is stored, however it ends', async () => {
    const port = new URL(mongod.url).port
    await withClient(mongod, (client) => openWords(client).insertOne({ _id: 1 }, durable))
    await mongod.kill9()
    await mongod.start()
    await withClient(mongod, (client) => openWords(client).insertOne({ _id: 2 }, durable))
    await mongod.stop()
    await mongod.start()
    expect(await withClient(mongod, (client) => openWords(client).countDocuments())).toBe(2)
    expect(new URL(mongod.url).port).toBe(port)
  })

  test('does not answer while paused, and continues afterwards', async () => {
    await mongod.pause()
    await expect(
      withClient(mongod, (client) => openWords(client).countDocuments()),
    ).rejects.toThrow(/time|timed/i)
    await mongod.resume()
    await withClient(mongod, (client) => openWords(client).countDocuments())
  })

  test('stops though paused, and starts again', async () => {
    await mongod.pause()
    await mongod.kill9()
    expect(() => mongod.pid()).toThrow('is not running')
    await mongod.start()
    expect(mongod.pid()).toBeGreaterThan(0)
  })

  test('is primary again after it stepped down', async () => {
    await mongod.stepDown()
    await withClient(mongod, (client) => openWords(client).insertOne({ _id: 3 }, durable))
  })
})

describeWithOwn('mongod', 'mongod, three members', () => {
  test('elects another primary when it steps down or is killed', async () => {
    const mongod = await startMongod({ members: 3 })
    try {
      const first = await mongod.primary()
      await mongod.stepDown()
      const second = await mongod.primary()
      expect(second).not.toBe(first)
      await second.kill9()
      expect(await mongod.primary()).not.toBe(second)
      await withClient(mongod, (client) => openWords(client).insertOne({ _id: 1 }, durable))
      await second.start()
    } finally {
      await mongod.dispose()
    }
  })
})

describeWithOwn('mongod', 'mongod, as a service must refuse it', () => {
  test('is not a replica set when standalone', async () => {
    const mongod = await startMongod({ standalone: true })
    const hello = await withClient(mongod, (client) => client.db().command({ hello: 1 }))
    expect(hello['setName']).toBeUndefined()
    await mongod.dispose()
  })

  test('lets no one in without the password, over a restart too', async () => {
    const credentials = { user: 'einvoicing', password: 'p:/w@' }
    const mongod = await startMongod({ credentials })
    await mongod.kill9()
    await mongod.start()
    await withClient(mongod, (client) => openWords(client).insertOne({ _id: 1 }))
    const stranger = { ...mongod, url: mongod.url.replace(/\/\/.*@/, '//') }
    await expect(
      withClient(stranger, (client) => openWords(client).countDocuments()),
    ).rejects.toThrow(/requires authentication/)
    await mongod.dispose()
  })
})
