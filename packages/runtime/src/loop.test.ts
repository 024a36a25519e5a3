import { createLog } from './log'
import { startLoop, type Loop } from './loop'

const log = createLog('silent')
const hour = 3_600_000

/** A run that a test ends by hand, so that nothing here depends on how fast a machine is. */
function steppedRun() {
  let begun = 0
  let end: (error?: Error) => void = () => undefined
  let noteBegun: () => void = () => undefined
  let beginning = new Promise<void>((resolve) => (noteBegun = resolve))
  const run = () =>
    new Promise<void>((resolve, reject) => {
      begun += 1
      end = (error) => {
        beginning = new Promise((begins) => (noteBegun = begins))
        if (error) reject(error)
        else resolve()
      }
      noteBegun()
    })
  return { run, begins: () => beginning, begun: () => begun, end: (error?: Error) => end(error) }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('startLoop', () => {
  let loop: Loop
  let stepped: ReturnType<typeof steppedRun>

  beforeEach(async () => {
    stepped = steppedRun()
    loop = startLoop({ name: 'test', pauseMs: hour, log }, stepped.run)
    await stepped.begins()
  })
  afterEach(async () => {
    const closed = loop.close()
    stepped.end()
    await closed
  })

  it('combines wakes into one run, until it is closed', async () => {
    const gathering = steppedRun()
    const slow = startLoop({ name: 'test', pauseMs: hour, gatherMs: 20, log }, gathering.run)
    await gathering.begins()
    gathering.end()
    await settle()
    slow.wake()
    await settle()
    slow.wake()
    expect(gathering.begun()).toBe(1)
    await gathering.begins()
    gathering.end()
    await settle()
    expect(gathering.begun()).toBe(2)

    const forever = startLoop({ name: 'test', pauseMs: hour, gatherMs: hour, log }, async () => {})
    await settle()
    forever.wake()
    await settle()
    await Promise.all([slow.close(), forever.close()])
  })

  it('runs at once, and again when woken', async () => {
    stepped.end()
    await settle()
    expect(stepped.begun()).toBe(1)
    loop.wake()
    await stepped.begins()
    expect(stepped.begun()).toBe(2)
  })

  it('runs once more when woken at work, however often', async () => {
    loop.wake()
    loop.wake()
    stepped.end()
    await stepped.begins()
    stepped.end()
    await settle()
    expect(stepped.begun()).toBe(2)
  })

  it('waits the whole pause after a failure, even when woken', async () => {
    stepped.end(new Error('away'))
    await settle()
    loop.wake()
    await settle()
    expect(stepped.begun()).toBe(1)
  })

  it('finishes the current run before it closes', async () => {
    let closed = false
    const closing = loop.close().then(() => (closed = true))
    await settle()
    expect(closed).toBe(false)
    stepped.end()
    await closing
    expect(closed).toBe(true)
  })
})
