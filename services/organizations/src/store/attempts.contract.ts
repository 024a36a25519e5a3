import { randomUUID } from 'node:crypto'
import type { StoreUnderTest } from '../testdata/store-under-test'

export function attemptsContract(opened: () => StoreUnderTest): void {
  describe('attempts', () => {
    const limit = () => ({ name: randomUUID(), windowMs: 60_000 })

    it('are counted by key, within a window, and can be taken back', async () => {
      const counter = opened().store.countAttempts(limit())
      const counts = [await counter.count('a'), await counter.count('a'), await counter.count('b')]
      expect(counts.map(({ count }) => count)).toEqual([1, 2, 1])
      expect(counts[1]?.waitMs).toBeGreaterThan(0)
      expect(counts[1]?.waitMs).toBeLessThanOrEqual(60_000)
      await counter.forgive('a')
      expect(await counter.count('a')).toMatchObject({ count: 2 })
    })

    it('another name is another counter', async () => {
      const { store } = opened()
      await store.countAttempts(limit()).count('a')
      expect(await store.countAttempts(limit()).count('a')).toMatchObject({ count: 1 })
    })

    it('begin again when the window has ended', async () => {
      const counter = opened().store.countAttempts({ ...limit(), windowMs: 1_000 })
      await counter.count('a')
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      expect(await counter.count('a')).toMatchObject({ count: 1 })
    })

    it('are counted together by several processes, all of them, and over a restart', async () => {
      const shared = limit()
      const stores = [opened().store, await opened().openAnother()]
      const counters = stores.map((store) => store.countAttempts(shared))
      const counted = await Promise.all(
        [...Array(20).keys()].map((n) => counters[n % 2]!.count('a')),
      )
      expect(counted.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
        [...Array(20).keys()].map((n) => n + 1),
      )
      const again = (await opened().reopen()).countAttempts(shared)
      expect(await again.count('a')).toMatchObject({ count: 21 })
    })
  })
}
