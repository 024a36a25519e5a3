import { signedEvent } from '../bus.contract'
import { HeldEvents, type Held } from './held-events'

const timer = setTimeout(() => undefined, 0)

const heldFor = (organizationid: string, id: string): Held => ({
  event: { ...signedEvent(id), organizationid },
  attempt: 1,
  failures: 0,
})

it('refuses and evicts as quickly with 20,000 organizations as with one', () => {
  const count = 20_000
  const events = new HeldEvents()
  const all = Array.from({ length: count }, (_, n) => heldFor(`organization-${n}`, `event-${n}`))
  for (const held of all) {
    events.add(held)
    events.beginWait(held, timer)
  }
  const began = performance.now()
  const refused = all.filter(({ event }) => !events.canEvict(event))
  for (let n = 0; n < 2_000; n++) events.evictOldest()
  expect(performance.now() - began).toBeLessThan(1_000)
  expect(refused).toHaveLength(count)
  expect(events.size).toBe(count - 2_000)
})

it('evicts from the organization with most of those of which an event waits', () => {
  const events = new HeldEvents()
  const hold = (organizationid: string, count: number) =>
    Array.from({ length: count }, (_, n) => {
      const held = heldFor(organizationid, `${organizationid}-${n}`)
      events.add(held)
      return held
    })
  const [many, some] = [hold('many', 5), hold('some', 3)]
  hold('few', 1)
  const own = (organizationid: string) => events.canEvict(heldFor(organizationid, 'new').event)
  expect(own('new')).toBe(false)

  for (const held of some) events.beginWait(held, timer)
  expect([own('new'), own('few'), own('some')]).toEqual([true, true, false])
  for (const held of many.slice(1)) events.beginWait(held, timer)
  expect(own('some')).toBe(true)
  events.evictOldest()
  const left = (all: readonly Held[]) => all.filter(({ event }) => events.has(event.id))
  expect(left(many)).toEqual([many[0], ...many.slice(2)])

  for (const held of many.slice(2)) events.endWait(held)
  expect(own('few')).toBe(true)
  events.evictOldest()
  expect(left(some)).toEqual(some.slice(1))
  expect(own('few')).toBe(false)
  for (const held of some.slice(1)) events.endWait(held)
  events.evictOldest()
  expect(own('new')).toBe(false)
  expect(events.size).toBe(7)
})
