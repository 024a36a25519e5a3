/**
 * Checkpoints of a day and the next, in a real archive under real time stamps; and what is done to
 * them.
 */

import { createHash, randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openFilesystemObjects } from '@einvoicing/artefacts/objects/filesystem/filesystem-objects'
import type { Objects } from '@einvoicing/artefacts/objects/objects'
import { keepAuditCheckpoint } from '@einvoicing/artefacts/rpc/audit-checkpoints'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import { openSqliteStore } from '@einvoicing/organizations/store/sqlite/sqlite-store'
import type { OrganizationStore } from '@einvoicing/organizations/store/store'
import { makeRoot, makeStamper } from '@einvoicing/simulator/time-stamps/make-certificates'
import type { KeyPair } from '@einvoicing/simulator/time-stamps/key-pair'
import { makeDueCheckpoints } from '@einvoicing/verification/audit/make-checkpoints'
import { createLog } from '@einvoicing/runtime/log'
import { issueToken } from '@einvoicing/verification/time-stamps/issue-token'
import Database from 'libsql'
import { verify as verifyArchive } from './archive-verify'
import { verify } from './audit-verify'
import type { Shell } from './shell'

const dayMs = 86_400_000
const today = new Date()
const yesterday = new Date(today.getTime() - dayMs)
const toDateText = (day: Date) => day.toISOString().slice(0, 10)

/** Before the days of these tests. */
const since = new Date(today.getTime() - 9 * dayMs)

function makeOtherStamper(issuer: KeyPair): Promise<KeyPair> {
  return makeStamper(issuer, { now: since, days: 3_650, crlUrl: 'http://127.0.0.1/crl' })
}

let root: KeyPair
let stamper: KeyPair
beforeAll(async () => {
  root = await makeRoot(since)
  stamper = await makeOtherStamper(root)
})

let folder: string
let store: OrganizationStore
let objects: Objects
let organizationId: string
let isStamping: boolean

const file = () => path.join(folder, 'organizations.db')

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'audit-verify-'))
  mkdirSync(path.join(folder, 'simulator'))
  writeFileSync(path.join(folder, 'simulator', 'tsa-root.pem'), root.certificate.toString())
  objects = await openFilesystemObjects(path.join(folder, 'artefacts'), () => today)
  store = openSqliteStore(file())
  organizationId = randomUUID()
  isStamping = true
  const user = { id: randomUUID(), organizationId, email: `${organizationId}@example.com` }
  await store.addOrganization(
    {
      id: organizationId,
      mentions: {} as never,
      createdAt: today.toISOString(),
      user: {
        ...user,
        passwordHash: '',
        passwordVersion: 0,
        role: 'OWNER',
        createdAt: '',
        knownNetworks: [],
        knownDevices: [],
      },
    },
    anEntry('organization.created'),
  )
})
afterEach(async () => {
  await store.close()
  await objects.close()
  rmSync(folder, { recursive: true })
})

function anEntry(action: string): AuditEntry {
  return { at: today.toISOString(), actor: 'user:a@example.com', action, network: '192.0.2.1' }
}

async function addEntries(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await store.addAudit(organizationId, anEntry(`session.${index}`))
  }
}

/** As the service does, with the archive and an authority of our own. */
function checkpointAt(now: Date, pair = stamper): Promise<string[]> {
  return makeDueCheckpoints({
    auditLog: 'organizations',
    chains: store,
    now: () => now,
    log: createLog('silent'),
    archive: {
      async timeStamp(digest) {
        if (!isStamping) throw new Error('the authority is unavailable')
        return issueToken(
          { hash: 'sha256', digest, nonce: 1n },
          {
            privateKey: pair.privateKey,
            certificates: [pair.certificate],
            policy: '1.3.6.1.4.1.32473.1',
          },
          { time: now, serialNumber: 1n },
        )
      },
      async store(checkpoint) {
        const caller = { service: 'organizations', actor: 'test' } as const
        const call = { caller, requestId: 'test', deadline: Date.now() + 9_000 }
        const deps = { objects, now: () => now }
        return (await keepAuditCheckpoint(deps, checkpoint, call)).otherMadeAt
      },
    },
  })
}

interface Verified {
  status: number
  found: { seq?: number; date?: string; organizationId?: string; problem?: string }[]
  summary: Record<string, number>
}

function run(options = {}): Promise<Verified> {
  return runIn((shell) => verify(shell, { log: 'organizations', ...options }))
}

async function runIn(command: (shell: Shell) => Promise<number>): Promise<Verified> {
  const printed: object[] = []
  const status = await command({
    environment: { DATA_DIR: folder },
    operator: 'Anna',
    print: (_text: string, value: unknown) => void printed.push(value as object),
    note() {},
  })
  const summary = printed.pop() as Record<string, number>
  return { status, found: printed, summary }
}

/** Behind the back of the service. */
function change(sql: string, ...values: string[]): void {
  const direct = new Database(file())
  direct.pragma('foreign_keys = OFF')
  direct.prepare(sql).run(values)
  direct.close()
}

const problem = (text: RegExp) => expect.stringMatching(text) as string

test('two unchanged days are intact, also while the log continues', async () => {
  await addEntries(3)
  expect(await checkpointAt(yesterday)).toEqual([toDateText(yesterday)])
  expect(await checkpointAt(yesterday)).toEqual([])
  await addEntries(2)
  expect(await checkpointAt(today)).toEqual([toDateText(today)])
  await addEntries(1)
  const summary = { chains: 1, broken: 0, checkpoints: 2, brokenCheckpoints: 0, notTimeStamped: 0 }
  expect(await run()).toEqual({ status: 0, found: [], summary })
  expect(await run({ organization: organizationId })).toMatchObject({ status: 0 })
  expect(await run({ organization: randomUUID() })).toMatchObject({ status: 1 })
})

test('detects a tail that was cut together with the stored head', async () => {
  await addEntries(5)
  await checkpointAt(today)
  const hash = (await store.readAuditChain(organizationId, undefined, 9))[3]?.entry.hash ?? ''
  change(`DELETE FROM audit WHERE entry ->> '$.seq' > 4`)
  change(`UPDATE audit_head SET seq = 4, hash = ?`, hash)
  expect(await run()).toMatchObject({
    status: 1,
    found: [
      { organizationId, seq: 5, problem: problem(/the checkpoint of .* has 6: its end was cut/) },
    ],
  })
})

test('detects a chain that was rewritten as a whole, with consistent hashes', async () => {
  await addEntries(2)
  await checkpointAt(today)
  change('DELETE FROM audit')
  change('DELETE FROM audit_head')
  for (const action of ['a', 'b', 'c', 'd']) await store.addAudit(organizationId, anEntry(action))
  expect(await run()).toMatchObject({
    status: 1,
    found: [{ organizationId, seq: 3, problem: problem(/not the entry that the checkpoint/) }],
  })
})

test('detects a chain that was removed', async () => {
  await checkpointAt(today)
  change('DELETE FROM audit')
  change('DELETE FROM audit_head')
  expect(await run()).toMatchObject({
    status: 1,
    found: [{ organizationId, seq: 1, problem: problem(/the chain is gone/) }],
  })
})

test('detects an older dump, at once and after the log has gone on', async () => {
  await addEntries(1)
  const copy = path.join(folder, 'copy.db')
  change(`VACUUM INTO '${copy}'`)
  await addEntries(4)
  await checkpointAt(yesterday)
  await store.close()
  for (const side of ['-wal', '-shm']) rmSync(`${file()}${side}`, { force: true })
  cpSync(copy, file())
  store = openSqliteStore(file())
  expect(await run()).toMatchObject({
    status: 1,
    found: [{ organizationId, seq: 3, problem: problem(/an older dump was restored/) }],
  })
  await addEntries(1)
  await checkpointAt(today)
  const later = await run()
  expect(later.status).toBe(1)
  expect(later.found).toContainEqual(
    expect.objectContaining({
      organizationId,
      date: toDateText(today),
      seq: 4,
      problem: problem(/it has 3 entries of the chain, .* 6: an older dump was restored/),
    }),
  )
})

test('detects that the client of an account entry was changed', async () => {
  await addEntries(3)
  change(
    `UPDATE audit SET entry = json_set(entry, '$.network', '198.51.100.9') WHERE entry ->> '$.seq' = 2`,
  )
  expect(await run()).toMatchObject({
    status: 1,
    found: [{ organizationId, seq: 2, problem: problem(/was changed/) }],
  })
})

test('detects a checkpoint that was removed, and one stamped by another authority', async () => {
  const stranger = await makeRoot(since, 'A Stranger')
  await checkpointAt(new Date(today.getTime() - 2 * dayMs))
  await checkpointAt(yesterday, await makeOtherStamper(stranger))
  await checkpointAt(today)
  expect(await run()).toMatchObject({
    status: 1,
    found: [{ date: toDateText(yesterday), problem: problem(/no trusted authority/) }],
  })
  expect(await runIn(verifyArchive)).toMatchObject({
    status: 1,
    found: [{ problem: problem(/is not a valid proof: no trusted authority/) }],
    summary: { objects: 3, damaged: 1, proofs: 3 },
  })
  const group = createHash('sha256').update('audit/organizations').digest('hex')
  const place = path.join(folder, 'artefacts/audit', group.slice(0, 2), group.slice(2, 4))
  for (const day of [yesterday, today]) {
    rmSync(path.join(place, 'organizations', `${toDateText(day)}.json.gz`), { recursive: true })
  }
  const missing = problem(/not in the archive/)
  expect(await run()).toMatchObject({
    status: 1,
    found: [
      { date: toDateText(yesterday), problem: missing },
      { date: toDateText(today), problem: missing },
    ],
  })
})

test('an unavailable authority is queried again, and missed days are made up', async () => {
  isStamping = false
  await expect(checkpointAt(new Date(today.getTime() - 2 * dayMs))).rejects.toThrow('unavailable')
  expect(await store.readCheckpointState()).toEqual({
    at: new Date(today.getTime() - 2 * dayMs).toISOString(),
    date: undefined,
  })
  await expect(checkpointAt(yesterday)).rejects.toThrow('unavailable')
  isStamping = true
  await checkpointAt(yesterday)
  const later = new Date(today.getTime() + 2 * dayMs)
  expect(await checkpointAt(later)).toEqual(
    [today, new Date(today.getTime() + dayMs), later].map(toDateText),
  )
})

test('after a crash between archive and store, the checkpoint in the archive is used', async () => {
  await addEntries(2)
  const broken = { ...store, writeCheckpointState: () => Promise.reject(new Error('killed')) }
  const whole = store
  await whole.writeCheckpointState({ at: yesterday.toISOString() })
  store = broken
  await expect(checkpointAt(today)).rejects.toThrow('killed')
  store = whole
  await addEntries(2)
  expect(await checkpointAt(today)).toEqual([toDateText(today)])
  expect(await run()).toMatchObject({ status: 0, summary: { checkpoints: 1 } })
})
