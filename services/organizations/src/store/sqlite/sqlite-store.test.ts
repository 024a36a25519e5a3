import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import threads from 'node:worker_threads'
import { openSqlite } from '@einvoicing/stores/sqlite'
import Database from 'libsql'
import { anAudit, anOrganization, at, findHolder } from '../../testdata/store-under-test'
import { openSqliteStore } from './sqlite-store'
import { migrations } from './schema'
import type { OrganizationStore } from '../store'
import { organizationStoreContract } from '../store.contract'

function temporaryFile(): { file: string; remove: () => void } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'organizations-'))
  return {
    file: path.join(folder, 'organizations.db'),
    remove: () => {
      fs.rmSync(folder, { recursive: true })
    },
  }
}

describe('the SQLite organization store', () => {
  organizationStoreContract(async () => {
    const { file, remove } = temporaryFile()
    const opened: OrganizationStore[] = []
    const open = () => {
      const store = openSqliteStore(file)
      opened.push(store)
      return store
    }
    const closeAll = () => Promise.all(opened.splice(0).map((store) => store.close()))
    return {
      store: open(),
      async reopen() {
        await closeAll()
        return open()
      },
      openAnother: async () => open(),
      async remove() {
        await closeAll()
        remove()
      },
    }
  })
})

describe('a read of the audit log of a SQLite store', () => {
  let store: OrganizationStore
  let remove: () => void
  let id: string
  let started: threads.Worker[]

  beforeEach(async () => {
    started = []
    const { Worker } = threads
    jest.spyOn(threads, 'Worker').mockImplementation((...args) => {
      const worker = new Worker(...args)
      started.push(worker)
      return worker
    })
    const { file, remove: removeFile } = temporaryFile()
    remove = removeFile
    store = openSqliteStore(file)
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    id = organization.id
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await store.close()
    remove()
  })

  it.each([
    ['filtered', { page: 0, size: 1, device: 'zzz' }],
    ['deep', { page: 9, size: 1_000 }],
  ])('does not stop the event loop: %s', async (_, request) => {
    let isRead = false
    const read = store.listAudit(id, request).finally(() => (isRead = true))
    await setImmediate()
    expect(isRead).toBe(false)
    expect((await read).entries).toEqual([])
  })

  it('starts the thread, and again once it has ended', async () => {
    const read = () => store.listAudit(id, { page: 0, size: 1 })
    expect(started).toHaveLength(0)
    await read()
    await read()
    expect(started).toHaveLength(1)

    // Ended before it is asked, so that it cannot answer.
    const ended = started[0]?.terminate()
    await expect(read()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await ended
    expect((await read()).total).toBe(1)
    expect(started).toHaveLength(2)
  })

  it('organizations take turns, and one that reads too much is rejected alone', async () => {
    const other = anOrganization()
    await store.addOrganization(other, anAudit('organization.created'))
    const read = (organizationId: string) => store.listAudit(organizationId, { page: 0, size: 1 })
    const order: string[] = []
    const greedy = Array.from({ length: 203 }, () => read(id).finally(() => order.push('greedy')))
    const isRead = expect(read(other.id).finally(() => order.push('other'))).resolves.toBeDefined()
    const results = await Promise.allSettled(greedy)
    await isRead
    const rejected = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    // Two are read, 200 wait, the last of them made space for the other.
    expect(rejected).toEqual(
      [1, 2].map(() => expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })),
    )
    expect(order.indexOf('other')).toBeLessThan(6)
  })

  it('is not begun once its caller has given up', async () => {
    const patience = new AbortController()
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal)
    const read = () => store.listAudit(id, { page: 0, size: 1 })
    const [first, second, third] = [read(), read(), read()]
    await setImmediate()
    const asked = jest.spyOn(started[0]!, 'postMessage')
    patience.abort()
    await expect(third).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      cause: { message: 'the read did not get its turn' },
    })
    expect((await first).total).toBe(1)
    expect((await second).total).toBe(1)
    await store.close()
    expect(asked.mock.calls).toEqual([['close']])
  })
})

it('a SQLite store from before roles has owners, as old as their organization', async () => {
  const { file, remove } = temporaryFile()
  const database = openSqlite(file, migrations.slice(0, 2))
  const { id, mentions, user } = anOrganization('a@example.com')
  database
    .prepare('INSERT INTO organization VALUES (?, ?, ?)')
    .run([id, JSON.stringify(mentions), at])
  database.prepare('INSERT INTO user VALUES (?, ?, ?, ?)').run([user.id, id, user.email, 'x'])
  database.close()
  const store = openSqliteStore(file)
  const owner = { ...user, passwordHash: 'x', passwordVersion: 0, role: 'OWNER', createdAt: at }
  expect(await store.findUser(user.email)).toEqual(owner)
  expect(await store.findMember(id, user.id)).toEqual({ user: owner, mentions })
  await store.close()
  remove()
})

it('a SQLite store from before memberships has one membership per user', async () => {
  const { file, remove } = temporaryFile()
  const withMemberships = migrations.findIndex((step) => step.includes('TABLE membership'))
  const database = openSqlite(file, migrations.slice(0, withMemberships))
  const { id, mentions, user } = anOrganization('a@example.com')
  database
    .prepare('INSERT INTO organization (id, mentions, created_at) VALUES (?, ?, ?)')
    .run([id, JSON.stringify(mentions), at])
  const insert = database.prepare(
    'INSERT INTO user (id, organization_id, email, password_hash, role, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  insert.run([user.id, id, user.email, 'x', 'READ_ONLY', '2025-01-01T00:00:00.000Z'])
  database.close()
  const store = openSqliteStore(file)
  const reader = { ...user, passwordHash: 'x', role: 'READ_ONLY' }
  const member = { ...reader, createdAt: '2025-01-01T00:00:00.000Z' }
  expect(await store.findUser(user.email)).toEqual(member)
  expect(await store.findMember(id, user.id)).toEqual({ user: member, mentions })
  expect(await store.listMemberships(user.id)).toMatchObject([{ organizationId: id }])
  await store.close()
  remove()
})

describe('a SQLite organization store that fails', () => {
  const audit = { at: '', actor: '', action: 'x' }
  let file: string
  let remove: () => void
  let store: OrganizationStore

  beforeEach(() => {
    ;({ file, remove } = temporaryFile())
    store = openSqliteStore(file)
  })
  afterEach(async () => {
    await store.close()
    remove()
  })

  it('says that it is unavailable when the file is damaged under it, and keeps the reason', async () => {
    // On another connection, so that no page comes from this one's cache.
    new Database(file).exec("INSERT INTO remembered VALUES ('a', '1')")
    fs.truncateSync(`${file}-wal`)
    fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 0xff))
    const unavailable = {
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 5,
      cause: { name: 'SqliteError' },
    }
    await expect(store.check()).rejects.toMatchObject(unavailable)
    await expect(findHolder(store, [Buffer.alloc(32)])).rejects.toMatchObject(unavailable)
    await expect(store.addAudit('o', audit)).rejects.toMatchObject(unavailable)
    await expect(store.readAuditChain('o', undefined, 1)).rejects.toMatchObject(unavailable)
    const { code, retryAfterSeconds } = unavailable
    const read = store.listAudit('o', { page: 0, size: 1 })
    await expect(read).rejects.toMatchObject({ code, retryAfterSeconds })
  })

  it('does not call a defect unavailable', async () => {
    await expect(store.addAudit('no such organization', audit)).rejects.toMatchObject({
      name: 'SqliteError',
      code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
    })
  })
})
