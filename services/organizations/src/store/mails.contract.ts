import { randomUUID } from 'node:crypto'
import type { Mail } from '../mail/mail'
import type { StoreUnderTest } from '../testdata/store-under-test'
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
    it('is taken once it is due, oldest first, and by one process only', async () => {
      const [early, late] = [aMail(at(1)), aMail(at(2))]
      await store.addMail(late)
      await store.addMail(early)
      expect(await take(at(0))).toEqual([])
      const taken = await Promise.all([take(at(2)), take(at(2))])
      const ids = taken.flat().map(({ id }) => id)
      expect(ids.sort()).toEqual([early.id, late.id].sort())
      expect(await take(at(59))).toEqual([])
    })

    it('is taken by others when its lease ends, unless it was finished', async () => {
      const [first, second] = [aMail(at(1)), aMail(at(2))]
      for (const mail of [first, second]) await store.addMail(mail)
      expect(await take(at(2), at(10), 1)).toEqual([{ ...first, attempts: 0 }])
      await store.finishMail(first.id)
      expect(await take(at(2), at(10))).toEqual([{ ...second, attempts: 0 }])
      expect(await take(at(10))).toEqual([{ ...second, attempts: 0 }])
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
