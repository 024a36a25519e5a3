/** The rights of the services' users in MongoDB, given as deployed, on a real server. */

import { randomBytes } from 'node:crypto'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { findFreePort } from '@einvoicing/servers/ports'
import mongoose from 'mongoose'
import type { User } from './server'
import { giveUsers } from './users'

const password = () => randomBytes(16).toString('hex')
const unauthorized = 13

describeWithOwn('mongod', 'the users of MongoDB', () => {
  let server: Mongod
  let port: number
  const admin: User = { name: 'admin', password: password() }
  const organizations: User = { name: 'organizations', password: password() }
  const invoices: User = { name: 'invoices', password: password() }
  beforeAll(async () => {
    port = await findFreePort()
    const credentials = { user: admin.name, password: admin.password }
    server = await startMongod({ port, credentials })
    await giveUsers({ admin, services: [organizations, invoices], port })
  })
  afterAll(() => server.dispose())

  const as = async <T>(
    user: User,
    work: (client: mongoose.mongo.MongoClient) => Promise<T>,
  ): Promise<T> => {
    const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/`, {
      directConnection: true,
      auth: { username: user.name, password: user.password },
    })
    try {
      return await work(client)
    } finally {
      await client.close()
    }
  }
  const refused = (work: Promise<unknown>) =>
    expect(work).rejects.toMatchObject({ code: unauthorized })

  it('read and write their own database', async () => {
    for (const user of [organizations, invoices]) {
      const found = await as(user, async (client) => {
        const things = client.db(user.name).collection('things')
        await client.db(user.name).createCollection('others')
        await things.insertOne({ name: user.name })
        return things.findOne({ name: user.name })
      })
      expect(found).toMatchObject({ name: user.name })
    }
  })

  it.each([
    [organizations, invoices],
    [invoices, organizations],
  ])('$name neither reads nor writes what is not its own', async (user, other) => {
    await as(user, async (client) => {
      for (const database of [other.name, 'admin', 'config', 'local']) {
        await refused(client.db(database).collection('things').findOne({}))
        await refused(client.db(database).collection('things').insertOne({}))
        await refused(client.db(database).dropDatabase())
      }
      await refused(client.db('admin').command({ createUser: 'x', pwd: 'x', roles: ['root'] }))
      await refused(
        client
          .db('admin')
          .command({ grantRolesToUser: user.name, roles: [{ role: 'root', db: 'admin' }] }),
      )
      await refused(client.db('admin').command({ replSetGetConfig: 1 }))
      await refused(client.db('admin').command({ shutdown: 1 }))
    })
  })

  it('get another password when their file says so, and are given no other right', async () => {
    const changed = { ...invoices, password: password() }
    await as(admin, (client) =>
      client
        .db('admin')
        .command({ grantRolesToUser: 'invoices', roles: [{ role: 'root', db: 'admin' }] }),
    )
    await giveUsers({ admin, services: [changed], port })
    await expect(as(invoices, (client) => client.db('invoices').stats())).rejects.toThrow(
      /Authentication failed/,
    )
    await as(changed, (client) =>
      refused(client.db('organizations').collection('things').findOne({})),
    )
  })
})
