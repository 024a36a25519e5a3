import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import { createLog } from '@einvoicing/runtime/log'
import { verifyAudit, type AuditFinding } from '@einvoicing/verification/audit/verify-audit'
import { describeWith } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { startMongod, type Mongod } from '@einvoicing/servers/mongod'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import Database from 'libsql'
import mongoose, { type Connection } from 'mongoose'
import { anAudit, anOrganization } from '../testdata/store-under-test'
import type { AuditDocument } from './mongo/collections'
import { openMongoStore } from './mongo/mongo-store'
import { openSqliteStore } from './sqlite/sqlite-store'
import type { OrganizationStore } from './store'

interface Opened {
  store: OrganizationStore
  /** On the same data, as another process has it. */
  other: OrganizationStore
  change: (seq: number, fields: Partial<AuditEntry>) => Promise<void>
  remove: (seq: number) => Promise<void>
  removeHeads: () => Promise<void>
  /** As a version without chains wrote them. */
  addEarlier: (organizationId: string, entries: AuditEntry[]) => Promise<void>
  dispose: () => Promise<void>
}

async function verify(chains: OrganizationStore, organizationId: string): Promise<AuditFinding[]> {
  const found: AuditFinding[] = []
  const trust = { trusted: undefined, now: new Date() }
  const audit = { log: 'organizations', chains, trust, organizationId } as const
  for await (const finding of verifyAudit(audit)) found.push(finding)
  return found
}

const intact = (organizationId: string, entries: number) => [
  { log: 'organizations', kind: 'chain', organizationId, entries },
]

function contract(open: () => Promise<Opened>): void {
  let opened: Opened
  let store: OrganizationStore
  beforeEach(async () => {
    opened = await open()
    store = opened.store
  })
  afterEach(() => opened.dispose())

  const addOrganization = async () => {
    const organization = anOrganization()
    await store.addOrganization(organization, anAudit('organization.created'))
    return organization.id
  }

  it('is numbered without a gap when two processes write', async () => {
    const id = await addOrganization()
    const writing = Array.from({ length: 30 }, async (_, index) => {
      await (index % 2 ? store : opened.other).addAudit(id, anAudit(`session.${index}`))
    })
    await Promise.all(writing)
    expect(await verify(store, id)).toEqual(intact(id, 31))
    const { entries } = await opened.other.listAudit(id, { page: 0, size: 100 })
    const seqs = entries.map(({ seq = 0 }) => seq).sort((one, other) => one - other)
    expect(seqs).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
  })

  it.each<[string, (on: Opened) => Promise<void>, number, RegExp]>([
    ['a changed actor', (on) => on.change(2, { actor: 'user:other' }), 2, /was changed/],
    ['a moved moment', (on) => on.change(2, { at: '2020-01-01T00:00:00.000Z' }), 2, /was changed/],
    ['a removed entry', (on) => on.remove(2), 2, /entry 2 is missing/],
    ['a cut end', (on) => on.remove(4), 4, /ends with entry 3, but 4 were written/],
    ['a head that is gone', (on) => on.removeHeads(), 1, /record of its newest entry is gone/],
  ])('shows %s, and where', async (_name, tamper, seq, problem) => {
    const id = await addOrganization()
    for (const action of ['one', 'two', 'three']) await store.addAudit(id, anAudit(action))
    expect(await verify(store, id)).toEqual(intact(id, 4))
    await tamper(opened)
    expect(await verify(store, id)).toMatchObject([
      { organizationId: id, seq, problem: expect.stringMatching(problem) },
    ])
  })

  it('earlier entries come first', async () => {
    const organization = anOrganization()
    await opened.addEarlier(organization.id, [anAudit('one'), anAudit('two')])
    await store.addAudit(organization.id, anAudit('three'))
    expect(await verify(store, organization.id)).toEqual(intact(organization.id, 2))
    const { entries } = await store.listAudit(organization.id, { page: 0, size: 9 })
    const began = entries.find(({ action }) => action === 'audit.chain-began')
    expect(began?.detail).toMatch(/^2 entries before, SHA-256 [0-9a-f]{64}$/)
  })

  it('only one process has the turn, and the newest checkpoint is stored', async () => {
    expect(await store.readCheckpointState()).toBeUndefined()
    const now = '2026-11-23T00:00:00.000Z'
    const until = '2026-11-23T00:03:00.000Z'
    expect(await store.takeCheckpointTurn({ now, until })).toBe(true)
    await store.writeCheckpointState({ at: now })
    await store.writeCheckpointState({ date: '2026-11-23', at: until })
    expect(await opened.other.readCheckpointState()).toEqual({ date: '2026-11-23', at: until })
    for (const date of ['2026-11-22', '2026-11-23', undefined]) {
      await opened.other.writeCheckpointState({ date, at: now })
      expect(await store.readCheckpointState()).toEqual({ date: '2026-11-23', at: until })
    }
  })
}

describe('sqlite', () => {
  contract(async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'audit-'))
    const file = path.join(folder, 'organizations.db')
    const [store, other] = [openSqliteStore(file), openSqliteStore(file)]
    const direct = new Database(file)
    direct.pragma('foreign_keys = OFF')
    return {
      store,
      other,
      change: async (seq, fields) => {
        direct
          .prepare(`UPDATE audit SET entry = json_patch(entry, ?) WHERE entry ->> '$.seq' = ?`)
          .run([JSON.stringify(fields), seq])
      },
      remove: async (seq) => {
        direct.prepare(`DELETE FROM audit WHERE entry ->> '$.seq' = ?`).run([seq])
      },
      removeHeads: async () => {
        direct.exec('DELETE FROM audit_head')
      },
      addEarlier: async (organizationId, entries) => {
        direct
          .prepare('INSERT INTO organization (id, mentions, created_at) VALUES (?, ?, ?)')
          .run([organizationId, '{}', '2026-01-01T00:00:00.000Z'])
        const insert = direct.prepare('INSERT INTO audit (organization_id, entry) VALUES (?, ?)')
        for (const entry of entries) insert.run([organizationId, JSON.stringify(entry)])
      },
      dispose: async () => {
        direct.close()
        await store.close()
        await other.close()
        fs.rmSync(folder, { recursive: true })
      },
    }
  })
})

describeWith('mongod', 'mongo', () => {
  let server: Mongod
  let url: string
  let direct: Connection
  beforeAll(async () => {
    server = await startMongod()
    url = server.url.replace(/\/(\?|$)/, `/audit_${randomUUID()}$1`)
    direct = await mongoose.createConnection(url).asPromise()
  })
  afterAll(async () => {
    await direct.dropDatabase()
    await direct.close()
    await server.dispose()
  })
  const log = createLog('silent')
  const entries = () => direct.collection<AuditDocument>('organization_audit')
  const openStore = () => openMongoStore({ kind: 'mongodb', url }, log, patientTimes)
  const countUnlinked = () => entries().countDocuments({ unlinked: true })

  contract(async () => {
    const [store, other] = [await openStore(), await openStore()]
    return {
      store,
      other,
      change: async (seq, fields) => {
        const changes = Object.entries(fields).map(([name, value]) => [`entry.${name}`, value])
        await entries().updateOne({ seq }, { $set: Object.fromEntries(changes) as never })
      },
      remove: async (seq) => {
        await entries().deleteOne({ seq })
      },
      removeHeads: async () => {
        await direct.collection('organization_audit_head').deleteMany()
      },
      addEarlier: async (organizationId, earlier) => {
        const seconds = Math.floor(Date.now() / 1_000) - 7_200
        await entries().insertMany(
          earlier.map((entry) => {
            const random = randomUUID().replaceAll('-', '').slice(0, 16)
            const _id = new mongoose.mongo.ObjectId(`${seconds.toString(16)}${random}`)
            return { _id, organizationId, at: entry.at, entry }
          }),
        )
      },
      dispose: async () => {
        await store.close()
        await other.close()
        for (const { collectionName } of await direct.db!.collections()) {
          if (/audit/.test(collectionName)) await direct.collection(collectionName).deleteMany()
        }
      },
    }
  })

  it('is complete after a kill between the entry and its place', async () => {
    await (await openStore()).close()
    const organizationId = randomUUID()
    const left = Array.from({ length: 600 }, (_, index) => {
      const entry = anAudit(`session.${index}`)
      return { organizationId, at: entry.at, entry, unlinked: true as const }
    })
    await entries().insertMany(left)
    const [store, other] = [await openStore(), await openStore()]
    expect(await verify(store, organizationId)).toEqual(intact(organizationId, 600))
    await Promise.all([store.close(), other.close()])
    expect(await entries().countDocuments({ unlinked: true })).toBe(0)
  })

  it('continues the chains of others while a killed process holds one', async () => {
    const store = await openStore()
    const session = await direct.startSession()
    try {
      const organizations = Array.from({ length: 6 }, () => randomUUID()).sort()
      const held = organizations.slice(0, 3)
      for (const id of organizations) await store.addAudit(id, anAudit('first'))
      await eventually(async () => expect(await countUnlinked()).toBe(0))
      session.startTransaction()
      const heads = direct.collection<{ _id: string }>('organization_audit_head')
      await heads.updateMany({ _id: { $in: held } }, { $set: { held: true } }, { session })
      for (const id of organizations) await store.addAudit(id, anAudit('second'))
      await eventually(async () => expect(await countUnlinked()).toBe(held.length), 5_000)
      const others = { organizationId: { $in: organizations.slice(3) } }
      expect(await entries().countDocuments({ ...others, seq: 2 })).toBe(3)
      await session.abortTransaction()
      await eventually(async () => expect(await countUnlinked()).toBe(0))
    } finally {
      await session.endSession()
      await store.close()
    }
  })

  it('gives the turn to the other process when it was not used', async () => {
    const [store, other] = [await openStore(), await openStore()]
    const [now, until, later] = ['00', '03', '04'].map(
      (minute) => `2026-11-23T00:${minute}:00.000Z`,
    )
    const takes = await Promise.all(
      [store, other, store, other].map((one) =>
        one.takeCheckpointTurn({ now: now!, until: until! }),
      ),
    )
    expect(takes.filter(Boolean)).toHaveLength(1)
    const held = until!
    expect(
      await store.takeCheckpointTurn({ now: now!, until: '2026-11-23T00:03:30.000Z', held }),
    ).toBe(true)
    expect(await other.takeCheckpointTurn({ now: until!, until: later!, held })).toBe(false)
    expect(await other.takeCheckpointTurn({ now: later!, until: later! })).toBe(true)
    await Promise.all([store.close(), other.close()])
  })
})
