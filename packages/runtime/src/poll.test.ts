import { setTimeout as pause } from 'node:timers/promises'
import { pollEvery } from './poll'

describe('pollEvery', () => {
  test('runs at once, then at the interval, never twice at once, until closed', async () => {
    let runs = 0
    let atOnce = 0
    let atOnceMost = 0
    const poll = pollEvery(5, async () => {
      runs += 1
      atOnceMost = Math.max(atOnceMost, (atOnce += 1))
      await pause(20)
      atOnce -= 1
    })
    expect(runs).toBe(1)
    while (runs < 3) await pause(5)
    poll.close()
    const whenClosed = runs
    await pause(60)
    expect([runs, atOnceMost]).toEqual([whenClosed, 1])
  })
})
