import { randomUUID } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import type { Mail } from '../mail/mail'
import {
  aKey,
  anAudit,
  anOrganization,
  by,
  type StoreUnderTest,
} from '../testdata/store-under-test'
import type { OrganizationStore } from './store'

const at = (minute: number) => `2026-05-03T10:${String(minute).padStart(2, '0')}:00.000Z`

export function mailsContract(opened: () => StoreUnderTest): void {
  let store: OrganizationStore
  beforeEach(() => {
    store = opened().store
  })
  const aMail = (createdAt: string): Mail => ({
    id: randomUUID(),
    kind: 'password-reset',
    to: 'a@example.com',
    network: '192.0.2.0/24',
    createdAt,
  })
  const take = (now: string, leaseUntil = '2026-05-03T11:00:00.000Z', count = 10) =>
    store.takeMails({ now, leaseUntil, count })

  describe('mail', () => {
    it('due work is taken, oldest first, by one process only', async () => {
      const [early, late] = [aMail(at(1)), aMail(at(2))]
      await store.addMail(late)
      await store.addMail(early)
      expect(await take(at(0))).toEqual([])
      const taken = await Promise.all([take(at(2)), take(at(2))])
      const ids = taken.flat().map(({ id }) => id)
      expect(ids.sort()).toEqual([early.id, late.id].sort())
      expect(await take(at(59))).toEqual([])
    })

    it('others take it when its lease ends, unless it was finished', async () => {
      const [first, second] = [aMail(at(1)), aMail(at(2))]
      for (const mail of [first, second]) await store.addMail(mail)
      expect(await take(at(2), at(10), 1)).toEqual([{ ...first, attempts: 0 }])
      await store.finishMail(first.id)
      expect(await take(at(2), at(10))).toEqual([{ ...second, attempts: 0 }])
      expect(await take(at(10))).toEqual([{ ...second, attempts: 0 }])
    })

    it('is stored with the audit entry of its change, or neither is', async () => {
      const organization = anOrganization()
      const { id } = organization
      const notices = [aMail(at(1)), aMail(at(2))]
      await store.addOrganization(organization, { ...anAudit('organization.created'), notices })
      const again = { ...anOrganization(organization.user.email), id: randomUUID() }
      const unsent = { ...anAudit('organization.created'), notices: [aMail(at(3))] }
      expect(await store.addOrganization(again, unsent)).toBe('email-taken')
      expect((await take(at(59))).map((mail) => mail.id)).toEqual(notices.map((mail) => mail.id))

      const key = { key: aKey(id), max: 9 }
      const audit = { ...anAudit('api-key.created'), notices: [aMail(at(4))] }
      await store.addApiKey(by(id), key, audit)
      const revoked = { ...anAudit('api-key.revoked'), notices: [aMail(at(5))] }
      await store.revokeApiKey(by(id), key.key.id, revoked)
      await store.revokeApiKey(by(id), key.key.id, revoked)
      await store.addAudit(id, { ...anAudit('x'), notices: [aMail(at(6))] })
      expect((await take(at(59))).map(({ createdAt }) => createdAt)).toEqual([4, 5, 6].map(at))
      const { entries } = await store.listAudit(id, { page: 0, size: 9 })
      expect(entries.filter((entry) => 'notices' in entry)).toEqual([])
    })

    it('links go before notices, and organizations take turns with theirs', async () => {
      const [many, one] = [anOrganization(), anOrganization()]
      for (const organization of [many, one]) {
        await store.addOrganization(organization, anAudit('organization.created'))
      }
      const aNotice = (minute: number) => ({ ...aMail(at(minute)), kind: 'rib-changed' as const })
      const [first, second, third, fourth] = [1, 2, 3, 4].map(aNotice)
      const other = aNotice(5)
      const link = aMail(at(6))
      const add = (id: string, ...notices: (Mail | undefined)[]) =>
        store.addAudit(id, { ...anAudit('x'), notices: notices.flatMap((mail) => mail ?? []) })
      await add(many.id, first, second)
      await add(many.id, third)
      await add(one.id, other)
      await store.addMail(link)
      const taken = await take(at(59), undefined, 3)
      expect(taken.map(({ id }) => id)).toEqual([link.id, first?.id, other.id])
      for (const { id } of taken) await store.finishMail(id)
      await add(one.id, fourth)
      const rest = await take(at(59))
      expect(rest.map(({ id }) => id)).toEqual([fourth?.id, second?.id, third?.id])
    })

    it('the oldest is found, also while it is leased or postponed', async () => {
      expect(await store.oldestMail()).toBeUndefined()
      const [first, second] = [1, 2].map((minute) => {
        return { ...aMail(at(minute)), id: uuidV7({ msecs: Date.parse(at(minute)) }) }
      })
      for (const mail of [second, first]) if (mail) await store.addMail(mail)
      expect(await store.oldestMail()).toBe(at(1))
      await take(at(1))
      await store.postponeMail(first?.id ?? '', { attempts: 1, nextAttemptAt: at(50) })
      expect(await store.oldestMail()).toBe(at(1))
      await store.finishMail(first?.id ?? '')
      expect(await store.oldestMail()).toBe(at(2))
    })

    it('dated by a clock that was set back is taken, one that is only postponed is not', async () => {
      const [ahead, postponed] = [aMail(at(20)), aMail(at(11))]
      for (const mail of [ahead, postponed]) await store.addMail(mail)
      const due = { now: at(0), horizon: at(11), leaseUntil: at(2), count: 10 }
      expect(await store.takeMails(due)).toEqual([{ ...ahead, attempts: 0 }])
      expect(await store.takeMails(due)).toEqual([])
      const both = (await take(at(11))).map(({ id }) => id)
      expect(both.sort()).toEqual([ahead.id, postponed.id].sort())
    })

    it('is postponed with its attempts', async () => {
      const mail = aMail(at(1))
      await store.addMail(mail)
      await take(at(1))
      await store.postponeMail(mail.id, { attempts: 3, nextAttemptAt: at(5) })
      expect(await take(at(4))).toEqual([])
      expect(await take(at(5))).toEqual([{ ...mail, attempts: 3 }])
    })
  })
}
