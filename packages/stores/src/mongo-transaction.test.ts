import { randomUUID } from 'node:crypto'
import { describeWith } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import mongoose, { type mongo } from 'mongoose'
import { inTransaction } from './mongo-transaction'

interface Counter {
  _id: string
  count: number
}

describeWith('mongod', 'a transaction of MongoDB', () => {
  let server: Mongod
  let connection: mongoose.Connection
  let db: mongo.Db
  let counters: mongo.Collection<Counter>
  let _id: string
  beforeAll(async () => {
    server = await startMongod()
    const url = server.url.replace(/\/(?=\?|$)/, `/transactions_${randomUUID().slice(0, 8)}`)
    connection = await mongoose.createConnection(url).asPromise()
    db = connection.getClient().db(new URL(url).pathname.slice(1))
    counters = db.collection<Counter>('counters')
  })
  beforeEach(async () => {
    _id = randomUUID()
    await counters.insertOne({ _id, count: 0 })
  })
  afterAll(async () => {
    await db.dropDatabase()
    await connection.close()
    await server.dispose()
  })

  const increment = async (session: mongo.ClientSession) => {
    await counters.updateOne({ _id }, { $inc: { count: 1 } }, { session })
    return (await counters.findOne({ _id }, { session }))?.count
  }
  const readCount = async () => (await counters.findOne({ _id }))?.count

  const hold = async () => {
    const session = db.client.startSession()
    session.startTransaction()
    await increment(session)
    return session
  }

  it('is repeated while another holds its document, and returns what the last attempt did', async () => {
    const holder = await hold()
    let attempts = 0
    const waiter = inTransaction(db, 'The store', (session) => {
      attempts += 1
      if (attempts === 3) void holder.commitTransaction()
      return increment(session)
    })
    expect(await waiter).toBe(2)
    expect(attempts).toBeGreaterThanOrEqual(3)
    expect(await readCount()).toBe(2)
    await holder.endSession()
  })

  it('writes nothing and says so, while its document is never free', async () => {
    const holder = await hold()
    const waiters = Array.from({ length: 20 }, () => inTransaction(db, 'The store', increment))
    const outcomes = await Promise.allSettled(waiters)
    const refused = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } }
    expect(outcomes).toMatchObject(waiters.map(() => refused))
    await holder.abortTransaction()
    await holder.endSession()
    expect(await readCount()).toBe(0)
  })

  it('lets all of many through that write the same document', async () => {
    const writers = Array.from({ length: 10 }, () => inTransaction(db, 'The store', increment))
    const counts = await Promise.all(writers)
    expect(new Set(counts)).toEqual(new Set(writers.map((_, index) => index + 1)))
  })

  it('is rolled back at once by an error of its work', async () => {
    let attempts = 0
    const failing = inTransaction(db, 'The store', async (session) => {
      attempts += 1
      await increment(session)
      throw new Error('a defect')
    })
    await expect(failing).rejects.toThrow('a defect')
    expect([attempts, await readCount()]).toEqual([1, 0])
  })
})
