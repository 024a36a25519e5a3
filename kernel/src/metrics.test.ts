import { setTimeout as pause } from 'node:timers/promises'
import { Histogram, Registry } from 'prom-client'
import { collectRuntimeMetrics, lookEvery, metrics, timed } from './metrics'

test('the version that runs is told', async () => {
  collectRuntimeMetrics()
  expect(await metrics.metrics()).toMatch(/^einvoicing_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
})

describe('timed', () => {
  const registry = new Registry()
  const histogram = new Histogram({
    name: 'work_seconds',
    help: 'Work',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })

  test('answers what the work does, and tells failures apart', async () => {
    expect(await timed(histogram, { kind: 'a' }, async () => 7)).toBe(7)
    const failing = () => Promise.reject(new Error('the disk is full'))
    await expect(timed(histogram, { kind: 'a' }, failing)).rejects.toThrow('the disk is full')
    const text = await registry.metrics()
    expect(text).toContain('work_seconds_count{kind="a",outcome="done"} 1')
    expect(text).toContain('work_seconds_count{kind="a",outcome="failed"} 1')
  })
})

describe('lookEvery', () => {
  test('looks at once, then again and again, never twice at once, until closed', async () => {
    let looks = 0
    let atOnce = 0
    let atOnceMost = 0
    const look = lookEvery(5, async () => {
      looks += 1
      atOnceMost = Math.max(atOnceMost, (atOnce += 1))
      await pause(20)
      atOnce -= 1
    })
    expect(looks).toBe(1)
    while (looks < 3) await pause(5)
    look.close()
    const whenClosed = looks
    await pause(60)
    expect([looks, atOnceMost]).toEqual([whenClosed, 1])
  })
})
