import { Histogram, Registry } from 'prom-client'
import { collectRuntimeMetrics, metrics, timed } from './metrics'

test('exposes the version that runs', async () => {
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

  test('returns the result of the work, and counts failures apart', async () => {
    expect(await timed(histogram, { kind: 'a' }, async () => 7)).toBe(7)
    const failing = () => Promise.reject(new Error('the disk is full'))
    await expect(timed(histogram, { kind: 'a' }, failing)).rejects.toThrow('the disk is full')
    const text = await registry.metrics()
    expect(text).toContain('work_seconds_count{kind="a",outcome="done"} 1')
    expect(text).toContain('work_seconds_count{kind="a",outcome="failed"} 1')
  })
})
