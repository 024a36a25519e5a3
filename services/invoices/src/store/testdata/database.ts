import { randomUUID } from 'node:crypto'
import { startMongod } from '@einvoicing/servers/mongod'
import mongoose, { type Connection } from 'mongoose'

/** An empty database on a MongoDB of its own, and a connection behind the store's back. */
export interface TestDatabase {
  url: string
  direct: Connection
  dispose(): Promise<void>
}

export async function startDatabase(): Promise<TestDatabase> {
  const server = await startMongod()
  const url = server.url.replace(/\/(\?|$)/, `/invoices_${randomUUID()}$1`)
  const direct = await mongoose.createConnection(url).asPromise()
  return {
    url,
    direct,
    async dispose() {
      await direct.dropDatabase()
      await direct.close()
      await server.dispose()
    },
  }
}
