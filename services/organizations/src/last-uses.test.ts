import Database from 'libsql'
import { createLog } from '@einvoicing/runtime/log'
import { LastUses } from './last-uses'
import { openSqliteStore } from './store/sqlite/sqlite-store'
import type { OrganizationStore } from './store/store'
import { createCall, OrganizationsUnderTest } from './testdata/organizations-under-test'
import { listKeys } from './testdata/store-under-test'

let underTest: OrganizationsUnderTest
let store: OrganizationStore
let lastUses: LastUses
let organizationId: string
let apiKeyId: string

beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
  const identity = await underTest.signUp()
  organizationId = identity.organizationId
  apiKeyId = (await underTest.createKey(createCall(identity))).id
  store = openSqliteStore(underTest.file('organizations.db'))
  lastUses = new LastUses(store, createLog('silent'))
})
afterEach(async () => {
  await lastUses.close()
  await store.close()
  await underTest.remove()
})

const stored = async () => (await listKeys(store, organizationId))[0]?.lastUsedAt
const [first, second] = [new Date('2026-05-03T10:00:00Z'), new Date('2026-05-03T10:00:01Z')]

it('writes only when a batch is due, and then the last use alone', async () => {
  lastUses.note(apiKeyId, first)
  lastUses.note(apiKeyId, second)
  expect(await stored()).toBeUndefined()
  await lastUses.write()
  expect(await stored()).toBe(second.toISOString())
})

it('writes what is left when it is closed', async () => {
  lastUses.note(apiKeyId, first)
  await lastUses.close()
  expect(await stored()).toBe(first.toISOString())
})

it('shows a use before it is written', async () => {
  const key = {
    id: apiKeyId,
    name: '',
    last4: '',
    createdAt: '',
    lastUsedAt: 'before',
    scopes: [],
    allowedNetworks: [],
  }
  expect(lastUses.toDate(key).lastUsedAt).toBe('before')
  lastUses.note(apiKeyId, first)
  expect(lastUses.toDate(key).lastUsedAt).toBe(first.toISOString())
})

it('keeps what could not be written, unless there is a newer value', async () => {
  const other = new Database(underTest.file('organizations.db'))
  other.exec('ALTER TABLE api_key RENAME TO away')
  lastUses.note(apiKeyId, first)
  await lastUses.write()
  lastUses.note(apiKeyId, second)
  await lastUses.write()
  other.exec('ALTER TABLE away RENAME TO api_key')
  await lastUses.write()
  expect(await stored()).toBe(second.toISOString())
})

it('writes once a minute by itself', async () => {
  jest.useFakeTimers()
  try {
    const ticking = new LastUses(store, createLog('silent'))
    ticking.note(apiKeyId, first)
    jest.advanceTimersByTime(59_999)
    expect(await stored()).toBeUndefined()
    jest.advanceTimersByTime(1)
    expect(await stored()).toBe(first.toISOString())
    await ticking.close()
  } finally {
    jest.useRealTimers()
  }
})
