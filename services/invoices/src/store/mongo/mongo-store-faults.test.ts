import net, { type AddressInfo } from 'node:net'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { signedEvent } from '../../signed-event'
import { openMongoStore } from './mongo-store'
import type { InvoiceStore, Write } from '../store'
import { anInvoice, dueWork } from '../testdata/invoices'

const log = createLog('silent')
const open = (url: string) =>
  openMongoStore({ kind: 'mongodb', url }, { now: () => new Date(), log })

const page = { page: 0, size: 1 }
const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 }

function aWrite(): Write {
  const invoice = anInvoice()
  const { id, updatedAt: at } = invoice
  const audit = { at, actor: 'a', action: 'invoice.created', invoiceId: id }
  return {
    invoice,
    audit,
    xml: Buffer.from(id),
    event: signedEvent(invoice),
    work: 'signed-xml',
  }
}

function streamOfCreations(store: InvoiceStore) {
  const created: string[] = []
  const failures: unknown[] = []
  let going = true
  const run = async () => {
    while (going) {
      const write = aWrite()
      try {
        const outcome = await store.create(write)
        if (outcome === 'created') created.push(write.invoice.id)
        else failures.push(outcome)
      } catch (error) {
        failures.push(error)
      }
      await pause(20)
    }
  }
  const running = Promise.all(Array.from({ length: 16 }, run))
  return {
    created,
    failures,
    /** Waits until so many more were created. */
    async more(count: number) {
      const wanted = created.length + count
      while (created.length < wanted) await pause(20)
    },
    async stop() {
      going = false
      await running
    },
  }
}

type Stream = ReturnType<typeof streamOfCreations>

/** Everything that was answered is there, with all that goes with it, and nothing half. */
async function expectNothingLost(store: InvoiceStore, { created, failures }: Stream) {
  for (const failure of failures) expect(failure).toMatchObject(refused)
  for (let first = 0; first < created.length; first += 50) {
    const ids = created.slice(first, first + 50)
    // Who was the primary before it died may be elected again.
    const found = await eventually(() => Promise.all(ids.map((id) => store.get('org-1', id))))
    expect(found.map((invoice) => invoice?.id)).toEqual(ids)
  }
  const listed = await store.list('org-1', { page, sortBy: 'createdAt', descending: true })
  const events = await store.listOutbox(undefined, 100_000)
  const works = await dueWork(store, { count: 100_000 })
  const audit = await store.listAudit('org-1', page)
  expect(listed.total).toBeGreaterThanOrEqual(created.length)
  expect(listed.total).toBeLessThanOrEqual(created.length + failures.length)
  expect([events.length, works.length, audit.total]).toEqual(Array(3).fill(listed.total))
}

describeWithOwn('mongod', 'mongo, one member', () => {
  let server: Mongod
  let store: InvoiceStore
  beforeEach(async () => {
    server = await startMongod()
    store = await open(server.url)
  })
  afterEach(async () => {
    await store.close()
    await server.dispose()
  })

  it('loses nothing that was answered when it is killed, and goes on by itself', async () => {
    const stream = streamOfCreations(store)
    await stream.more(200)
    await server.kill9()
    // Until then a server that is back soon fails no write: the driver sends it again.
    while (stream.failures.length === 0) await pause(20)
    await server.start()
    await stream.more(200)
    await stream.stop()
    await expectNothingLost(store, stream)
  })

  it('rejects writes in time while it hangs, waiting ones too, and recovers by itself', async () => {
    await server.pause()
    const began = Date.now()
    const writes = Array.from({ length: 500 }, aWrite)
    const outcomes = await Promise.allSettled(writes.map((write) => store.create(write)))
    expect(Date.now() - began).toBeLessThan(15_000)
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: refused })
    await server.resume()
    await eventually(() => store.check())
    const again = await Promise.all(writes.map((write) => store.create(write)))
    expect(new Set(again)).toEqual(new Set(['created']))
    // The driver may find out about the pause only now, and break connections that serve again.
    await eventually(async () => {
      expect((await store.listAudit('org-1', page)).total).toBe(500)
    })
  })

  it('returns created when the answer to the insert was lost', async () => {
    const { port } = new URL(server.url.replace('mongodb:', 'http:'))
    const line = await openCuttingLine(Number(port))
    const behind = await open(`mongodb://127.0.0.1:${line.port}/?directConnection=true`)
    const write = aWrite()
    line.cutNextAnswerTo('insert')
    expect(await behind.create(write)).toBe('created')
    expect(line.cuts()).toBe(1)
    const change = { ...aWrite(), invoice: { ...write.invoice, updatedAt: '2027' } }
    line.cutNextAnswerTo('update')
    expect(await behind.change(write.invoice, change)).toBe('changed')
    expect(line.cuts()).toBe(2)
    expect((await store.listAudit('org-1', page)).total).toBe(2)
    await behind.close()
    line.close()
  })

  it('keeps an audit entry until its copy is there, whatever breaks while it is copied', async () => {
    const { port } = new URL(server.url.replace('mongodb:', 'http:'))
    const line = await openCuttingLine(Number(port))
    const behind = await open(`mongodb://127.0.0.1:${line.port}/?directConnection=true`)
    // The first attempt, and the driver's own second.
    line.cutBefore('invoice_audit', 2)
    expect(await behind.create(aWrite())).toBe('created')
    await eventually(async () => expect(line.cuts()).toBe(2))
    await eventually(async () => expect((await behind.listAudit('org-1', page)).total).toBe(1))
    await behind.close()
    line.close()
  })
})

describeWithOwn('mongod', 'mongo, three members', () => {
  let server: Mongod
  const stores: InvoiceStore[] = []
  beforeAll(async () => {
    server = await startMongod({ members: 3 })
    stores.push(await open(server.url))
  })
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await server.dispose()
  })

  it('continues through a step-down and a kill of the primary, and loses nothing', async () => {
    const [store] = stores
    const stream = streamOfCreations(store!)
    await stream.more(100)
    await server.stepDown()
    await stream.more(100)
    const primary = await server.primary()
    await primary.kill9()
    await stream.more(100)
    await primary.start()
    await stream.stop()
    await expectNothingLost(store!, stream)
  })

  it('rejects while there is no primary, also when opened then, and recovers', async () => {
    const [, ...most] = server.members
    await Promise.all(most.map((member) => member.kill9()))
    await eventually(() => expect(stores[0]!.check()).rejects.toMatchObject(refused))
    stores.push(await open(server.url))
    for (const store of stores) {
      await expect(store.check()).rejects.toMatchObject(refused)
      await expect(store.create(aWrite())).rejects.toMatchObject(refused)
    }
    await Promise.all(most.map((member) => member.start()))
    for (const store of stores) {
      await eventually(async () => expect(await store.create(aWrite())).toBe('created'))
      await store.check()
    }
  })
})

/**
 * A line to the server that can be cut when a command has been carried out, before its answer, or
 * before an insert is carried out at all.
 */
async function openCuttingLine(target: number) {
  let armed: string | undefined
  let refused = { collection: '', times: 0 }
  let cuts = 0
  const sockets = new Set<net.Socket>()
  const line = net.createServer((client) => {
    const server = net.connect(target, '127.0.0.1')
    let cutting = false
    client.on('data', (data) => {
      const isInsert = data.includes('insert\0')
      if (refused.times > 0 && isInsert && data.includes(`${refused.collection}\0`)) {
        refused.times -= 1
        cuts += 1
        client.destroy()
        return
      }
      if (armed !== undefined && data.includes(`${armed}\0`) && data.includes('invoices\0')) {
        armed = undefined
        cutting = true
      }
      server.write(data)
    })
    server.on('data', (data) => {
      if (cutting) {
        cuts += 1
        client.destroy()
      } else client.write(data)
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  return {
    port: (line.address() as AddressInfo).port,
    cutNextAnswerTo: (command: string) => (armed = command),
    cutBefore: (collection: string, times: number) => (refused = { collection, times }),
    cuts: () => cuts,
    close() {
      line.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
