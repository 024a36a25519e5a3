import { RequestsFirst } from './requests-first'

const options = { busyAt: 4, calmAfterMs: 100, stepMs: 300, longestMs: 2_000, restMs: 500 }
const open = () => false

describe('requests go first', () => {
  let nowMs: number
  let requests: RequestsFirst
  /** The clock goes on by itself with each look, so that no test waits for it. */
  const clock = () => (nowMs += 1)
  const ended: (() => void)[] = []
  const serve = (count: number) => {
    for (let request = 0; request < count; request += 1) {
      void requests.serve(() => new Promise<void>((resolve) => ended.push(resolve)))
    }
  }
  const end = async () => {
    for (const resolve of ended.splice(0)) resolve()
    await new Promise(setImmediate)
  }
  /** As a burst: something is answered every few milliseconds. */
  const stayBusyFor = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      nowMs += 50
      await requests.serve(() => Promise.resolve())
    }
  }

  beforeEach(() => {
    nowMs = 1_000_000
    requests = new RequestsFirst(options, clock)
  })
  afterEach(end)

  it('puts nothing off below the number that keeps the process busy', async () => {
    serve(3)
    expect(await requests.giveWay(open)).toBe(false)
  })

  it('puts a step off, for no longer than its bound, from that number on', async () => {
    serve(4)
    const before = nowMs
    const giving = requests.giveWay(open)
    await stayBusyFor(options.stepMs)
    expect(await giving).toBe(true)
    expect(nowMs - before).toBeLessThan(options.stepMs + 100)
  })

  it('goes on in whole steps as soon as it is calm', async () => {
    serve(4)
    await end()
    nowMs += options.calmAfterMs
    expect(await requests.giveWay(open)).toBe(false)
  })

  it('does not hold up the end of the process', async () => {
    serve(4)
    expect(await requests.giveWay(() => true)).toBe(false)
  })

  it('puts nothing off any more when the load has no end, until there was rest', async () => {
    serve(4)
    await stayBusyFor(options.longestMs)
    expect(await requests.giveWay(open)).toBe(false)
    await stayBusyFor(options.restMs - 100)
    expect(await requests.giveWay(open)).toBe(false)

    await end()
    nowMs += options.restMs + 100
    serve(4)
    const giving = requests.giveWay(open)
    await stayBusyFor(options.stepMs)
    expect(await giving).toBe(true)
  })

  it('passes on what a request answers or throws', async () => {
    expect(await requests.serve(() => Promise.resolve(7))).toBe(7)
    await expect(requests.serve(() => Promise.reject(new Error('refused')))).rejects.toThrow(
      'refused',
    )
    serve(3)
    expect(await requests.giveWay(open)).toBe(false)
  })
})
