import { PassThrough } from 'node:stream'
import { createLog } from './log'
import { Outage } from './outage'

const minuteMs = 60_000

function anOutage(options: { forgottenMs?: number } = {}) {
  const stream = new PassThrough()
  const clock = { nowMs: 0 }
  const outage = new Outage({
    log: createLog('info', stream),
    startMessage: 'the archive is unavailable',
    endMessage: 'the archive is back',
    nowMs: () => clock.nowMs,
    ...options,
  })
  const lines = () =>
    String(stream.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .map(({ time: _, ...line }) => line)
  return { outage, clock, lines }
}

test('many failures are one warning, and one line when everything works again', () => {
  const { outage, clock, lines } = anOutage()
  outage.failed('a', { invoiceId: 'a' })
  outage.failed('b', { invoiceId: 'b' })
  clock.nowMs = 30_000
  outage.failed('a', { invoiceId: 'a' })
  outage.recovered('b')
  expect(lines()).toEqual([{ level: 'warn', invoiceId: 'a', msg: 'the archive is unavailable' }])
  outage.recovered('a')
  expect(lines()).toEqual([
    { level: 'info', failures: 3, lastedMs: 30_000, msg: 'the archive is back' },
  ])
  outage.recovered('a')
  expect(lines()).toEqual([])
})

test('a lasting outage is logged again after ten minutes, with the number of failing keys', () => {
  const { outage, clock, lines } = anOutage()
  outage.failed('a', {})
  lines()
  for (let minute = 1; minute < 10; minute += 1) {
    clock.nowMs = minute * minuteMs
    outage.failed('a', {})
  }
  expect(lines()).toEqual([])
  clock.nowMs = 10 * minuteMs
  outage.failed('b', {})
  expect(lines()).toMatchObject([{ level: 'warn', failing: 2, failures: 11, lastedMs: 600_000 }])
})

test('events taken over elsewhere do not keep an outage open', () => {
  const { outage, clock, lines } = anOutage()
  outage.failed('gone', {})
  clock.nowMs = 4 * minuteMs
  outage.failed('ours', {})
  outage.recovered('ours')
  expect(lines()).toHaveLength(1)
  clock.nowMs = 5 * minuteMs
  outage.recovered('another')
  expect(lines()).toMatchObject([{ msg: 'the archive is back' }])
})

test('failures that come again after a day last until then', () => {
  const { outage, clock, lines } = anOutage({ forgottenMs: 1_500 * minuteMs })
  outage.failed('daily', {})
  lines()
  clock.nowMs = 1_440 * minuteMs
  outage.recovered('other')
  expect(lines()).toEqual([])
  outage.recovered('daily')
  expect(lines()).toMatchObject([{ msg: 'the archive is back' }])
})

test('an outage that nothing reports as recovered expires', () => {
  const { outage, clock, lines } = anOutage({ forgottenMs: minuteMs })
  outage.expire()
  outage.failed('passwords', {})
  lines()
  clock.nowMs = minuteMs - 1
  outage.expire()
  expect(lines()).toEqual([])
  clock.nowMs = minuteMs
  outage.expire()
  outage.expire()
  expect(lines()).toEqual([
    { level: 'info', failures: 1, lastedMs: minuteMs, msg: 'the archive is back' },
  ])
})
