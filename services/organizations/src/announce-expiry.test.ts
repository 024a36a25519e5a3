import { limits } from '@einvoicing/domain/limits'
import type { Member } from '@einvoicing/proto/organizations'
import { createLog } from '@einvoicing/runtime/log'
import { announceExpiries } from './announce-expiry'
import { composeMail } from './mail/compose-mail'
import type { Mail } from './mail/mail'
import { openSqliteStore } from './store/sqlite/sqlite-store'
import type { OrganizationStore } from './store/store'
import { createCall, OrganizationsUnderTest } from './testdata/organizations-under-test'
import { listKeys } from './testdata/store-under-test'

const dayMs = 24 * 60 * 60_000

let underTest: OrganizationsUnderTest
let store: OrganizationStore
beforeEach(async () => {
  underTest = new OrganizationsUnderTest()
  await underTest.open()
  store = openSqliteStore(underTest.file('organizations.db'))
})
afterEach(async () => {
  await store.close()
  await underTest.remove()
})

let mails = 0
const now = () => new Date(underTest.nowMs)
const mailer = {
  isOn: true,
  prepare: (kind: Mail['kind'], of: Pick<Mail, 'to' | 'network' | 'about'>): Mail => {
    mails += 1
    return { id: `mail-${mails}`, kind, ...of, createdAt: now().toISOString() }
  },
  wake: () => undefined,
  close: async () => undefined,
}

it('owners get a mail 14 and 2 days before a key expires, once each', async () => {
  const owner = await underTest.signUp('owner@example.com')
  const call = createCall(owner)
  await underTest.join(await underTest.invite(call, 'other@example.com', 'OWNER'))
  await underTest.join(await underTest.invite(call, 'member@example.com', 'MEMBER'))
  await underTest.invite(call, 'invited@example.com', 'OWNER')
  const expiresAt = new Date(underTest.nowMs + 30 * dayMs).toISOString()
  const { id, apiKey } = await underTest.createKey(call, 'ERP', { expiresAt })

  const announce = async (daysBefore: number) => {
    underTest.nowMs = Date.parse(expiresAt) - daysBefore * dayMs
    await announceExpiries({ store, mailer, now, log: createLog('silent') })
    const at = now().toISOString()
    const due = await store.takeMails({ now: at, leaseUntil: '2099-01-01T00:00:00Z', count: 9 })
    return due.map(({ to }) => to).sort()
  }
  const owners = ['other@example.com', 'owner@example.com']
  expect(await announce(14.1)).toEqual([])
  expect(await announce(14)).toEqual(owners)
  expect(await announce(13)).toEqual([])
  expect(await announce(2)).toEqual(owners)
  expect(await announce(1)).toEqual([])
  expect(await announce(-1)).toEqual([])
  expect((await listKeys(store, owner.organizationId))[0]?.id).toBe(id)

  const about = { name: 'ERP', last4: apiKey.last4, expiresAt, organization: 'Société' }
  const { text } = composeMail('api-key-expires', { network: '', at: expiresAt, about })
  expect(text).toContain(`« ERP » (…${apiKey.last4}) de Société expire le 2 juin 2026`)
  expect(text).toContain(`“ERP” (…${apiKey.last4}) of Société expires on 2 June 2026`)
})

it('all keys that expire are announced at once, however many, until the process stops', async () => {
  const call = createCall(await underTest.signUp())
  const made = 2 * 100 + 1
  const expiresAt = new Date(underTest.nowMs + dayMs).toISOString()
  for (let count = 0; count < made; count += 1)
    await underTest.createKey(call, 'ERP', { expiresAt })
  let announced = 0
  const searches: (string | undefined)[] = []
  const announce = (closing?: () => boolean) => {
    announced = 0
    const counting: OrganizationStore = {
      ...store,
      findExpiringApiKeys(query) {
        searches.push(query.after?.id)
        return store.findExpiringApiKeys(query)
      },
      announceExpiry(...of) {
        announced += 1
        return store.announceExpiry(...of)
      },
    }
    return announceExpiries({ store: counting, mailer, now, log: createLog('silent') }, closing)
  }
  await announce(() => announced === 1)
  expect(announced).toBe(1)
  await announce()
  expect(announced).toBe(made - 1)
  // For 2 days: two pages and the end, each after the last key of the one before.
  expect(new Set(searches.slice(1, 4)).size).toBe(3)
  await announce()
  expect(announced).toBe(0)
})

it('keys that another process announces are not tried without end', async () => {
  const call = createCall(await underTest.signUp())
  const expiresAt = new Date(underTest.nowMs + dayMs).toISOString()
  await underTest.createKey(call, 'ERP', { expiresAt })
  const announceExpiry = jest.fn(async () => false)
  await announceExpiries({
    store: { ...store, announceExpiry },
    mailer,
    now,
    log: createLog('silent'),
  })
  // Once for each of 2 and 14 days.
  expect(announceExpiry).toHaveBeenCalledTimes(2)
})

it('of many owners, those who joined first get a mail', async () => {
  const call = createCall(await underTest.signUp())
  const expiresAt = new Date(underTest.nowMs + dayMs).toISOString()
  await underTest.createKey(call, 'ERP', { expiresAt })
  const owners = Array.from({ length: limits.noticeRecipients + 1 }, (_, index): Member => {
    const id = String(index)
    return { id, email: `${id}@example.com`, role: 'OWNER', createdAt: '' }
  })
  const withMany = { ...store, listMembers: async () => owners }
  await announceExpiries({ store: withMany, mailer, now, log: createLog('silent') })
  const due = await store.takeMails({ now: expiresAt, leaseUntil: '2099', count: 99 })
  expect(due.map(({ to }) => to).sort()).toEqual(
    owners
      .slice(0, -1)
      .map(({ email }) => email)
      .sort(),
  )
})
