import { RequestsFirst } from './requests-first'

const options = { busyRequestsMin: 4, calmAfterMs: 100, stepMs: 300, longestMs: 2_000, restMs: 500 }
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

  it('delays nothing below the busy threshold', async () => {
    serve(3)
    expect(await requests.giveWay(open)).toBe(false)
  })

  it('delays a step, no longer than the limit, from that number on', async () => {
    serve(4)
    const before = nowMs
    const giving = requests.giveWay(open)
    await stayBusyFor(options.stepMs)
    expect(await giving).toBe(true)
    expect(nowMs - before).toBeLessThan(options.stepMs + 100)
  })

  it('takes full steps again once idle', async () => {
    serve(4)
    await end()
    nowMs += options.calmAfterMs
    expect(await requests.giveWay(open)).toBe(false)
  })

  it('does not delay the exit of the process', async () => {
    serve(4)
    expect(await requests.giveWay(() => true)).toBe(false)
  })

  it('delays nothing more under endless load, until it was idle', async () => {
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
