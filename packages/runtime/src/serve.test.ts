import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { createLog } from './log'
import {
  closeAll,
  openAndServe,
  serveUntilSignal,
  type Closable,
  type SignalledProcess,
} from './serve'

function logInto(lines: string[]) {
  const stream = new PassThrough()
  stream.on('data', (line: Buffer) => lines.push(line.toString()))
  return createLog('info', stream)
}

test('what was opened last closes first, one after the other', async () => {
  const closed: string[] = []
  const part = (name: string) => ({
    close: async () => {
      closed.push(`${name} begins`)
      await new Promise(setImmediate)
      closed.push(`${name} ends`)
    },
  })

  await closeAll([part('store'), part('server')], logInto([]))

  expect(closed).toEqual(['server begins', 'server ends', 'store begins', 'store ends'])
})

test('a part that cannot close is logged, and the others are closed', async () => {
  const lines: string[] = []
  let storeClosed = false
  const broken = [
    { close: () => Promise.reject(new Error('the disk is gone')) },
    {
      close: () => {
        throw new Error('the socket is gone')
      },
    },
  ]

  await closeAll([{ close: () => void (storeClosed = true) }, ...broken], logInto(lines))

  expect(storeClosed).toBe(true)
  expect(lines.join('')).toContain('the disk is gone')
  expect(lines.join('')).toContain('the socket is gone')
})

describe('a signal', () => {
  let self: SignalledProcess & EventEmitter
  let exits: number[]
  let letClose: () => void
  let stopped: Promise<void>

  beforeEach(() => {
    jest.useFakeTimers()
    exits = []
    self = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) })
    const closing = new Promise<void>((resolve) => (letClose = resolve))
    stopped = serveUntilSignal([{ close: () => closing }], logInto([]), self)
  })
  afterEach(async () => {
    letClose()
    await stopped
    jest.useRealTimers()
  })

  test('that arrives twice at once, from the terminal and from npm, does not cut the close short', () => {
    self.emit('SIGINT', 'SIGINT')
    jest.advanceTimersByTime(400)
    self.emit('SIGINT', 'SIGINT')
    self.emit('SIGTERM', 'SIGTERM')
    expect(exits).toEqual([])
  })

  test.each(['SIGINT', 'SIGTERM'])('a later %s exits at once', (second) => {
    self.emit('SIGINT', 'SIGINT')
    jest.advanceTimersByTime(600)
    self.emit(second, second)
    expect(exits).toEqual([1])
  })

  test('exits when a part does not close, or keeps the process alive after its close', async () => {
    self.emit('SIGTERM', 'SIGTERM')
    await Promise.resolve()
    letClose()
    await stopped
    jest.advanceTimersByTime(20_000)
    expect(exits).toEqual([1])
  })
})

describe('what opens', () => {
  const exits: number[] = []
  const process = () =>
    Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) })
  const part = (closed: string[], name: string) => ({ close: () => void closed.push(name) })
  beforeEach(() => void exits.splice(0))

  test('a signal during opening closes what is open, without waiting for the rest', async () => {
    const closed: string[] = []
    const self = process()
    const served = openAndServe(
      logInto([]),
      async (opened) => {
        opened.push(part(closed, 'server'))
        await new Promise(() => undefined)
      },
      { self },
    )
    self.emit('SIGTERM', 'SIGTERM')
    await served
    expect([closed, exits]).toEqual([['server'], [0]])
  })

  test('serves until a signal, and then ends of itself', async () => {
    const closed: string[] = []
    const self = process()
    const open = async (opened: { close(): void }[]) => void opened.push(part(closed, 'server'))
    const served = openAndServe(logInto([]), open, { self })
    await new Promise(setImmediate)
    expect(closed).toEqual([])
    self.emit('SIGTERM', 'SIGTERM')
    await served
    expect([closed, exits]).toEqual([['server'], []])
  })

  test('has the time to stop that it asks for', async () => {
    jest.useFakeTimers()
    try {
      const self = process()
      const open = async (opened: Closable[]) =>
        void opened.push({ close: () => new Promise(() => undefined) })
      void openAndServe(logInto([]), open, { self, stopMaxMs: 60_000 })
      await jest.advanceTimersByTimeAsync(0)
      self.emit('SIGTERM', 'SIGTERM')
      await jest.advanceTimersByTimeAsync(59_999)
      expect(exits).toEqual([])
      await jest.advanceTimersByTimeAsync(1)
      expect(exits).toEqual([1])
    } finally {
      jest.useRealTimers()
    }
  })

  test('is closed and logged when it cannot be opened', async () => {
    const closed: string[] = []
    const failing = async (opened: { close(): void }[]) => {
      opened.push(part(closed, 'server'))
      throw new Error('the port is taken')
    }
    await expect(openAndServe(logInto([]), failing, { self: process() })).rejects.toThrow(
      'the port is taken',
    )
    expect([closed, exits]).toEqual([['server'], []])
  })
})

describe('an uncaught error', () => {
  let self: SignalledProcess & EventEmitter
  let exits: number[]
  let closed: string[]
  let lines: string[]
  beforeEach(() => {
    ;[exits, closed, lines] = [[], [], []]
    self = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) })
  })
  const close = () => void closed.push('store')
  const fatal = () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'fatal')

  test('is logged with its cause, and the process closes what it opened and exits with 70', async () => {
    const served = serveUntilSignal([{ close }], logInto(lines), self)
    const cause = new Error('the socket is gone')
    self.emit('uncaughtException', new Error('cannot answer', { cause }), 'unhandledRejection')
    await served
    expect([closed, exits]).toEqual([['store'], [70]])
    expect(fatal()).toMatchObject([
      { origin: 'unhandledRejection', err: { message: expect.stringContaining('cannot answer') } },
    ])
    expect(fatal()[0].err.stack).toContain('the socket is gone')
  })

  test('while the process opens ends it there', async () => {
    const open = async (opened: { close(): void }[], fail: (error: Error) => void) => {
      opened.push({ close })
      fail(new Error('the thread died'))
      await new Promise(() => undefined)
    }
    await openAndServe(logInto(lines), open, { self })
    expect(closed).toEqual(['store'])
    expect(exits[0]).toBe(70)
    expect(fatal()).toMatchObject([{ err: { message: 'the thread died' } }])
  })

  test('while it stops is not lost: the status says that something went wrong', async () => {
    let letClose: () => void = () => undefined
    const closing = new Promise<void>((resolve) => (letClose = resolve))
    const served = serveUntilSignal([{ close: () => closing }], logInto(lines), self)
    self.emit('SIGTERM', 'SIGTERM')
    await new Promise(setImmediate)
    self.emit('uncaughtException', new Error('late'), 'uncaughtException')
    letClose()
    await served
    expect(exits).toEqual([70])
  })

  test('does not delay a stop beyond the drain deadline', async () => {
    jest.useFakeTimers()
    try {
      void serveUntilSignal([{ close: () => new Promise(() => undefined) }], logInto(lines), self)
      self.emit('uncaughtException', new Error('stuck'), 'uncaughtException')
      await Promise.resolve()
      jest.advanceTimersByTime(9_000)
      expect(exits).toEqual([])
      jest.advanceTimersByTime(1_001)
      expect(exits).toEqual([70])
    } finally {
      jest.useRealTimers()
    }
  })
})
