import { awaitingInvoice } from '../testdata/invoices'
import { DrawCache } from './draw-cache'

const inTime = () => Date.now() + 20_000

const bytes = (length: number) => async () => Buffer.alloc(length)

it('draws once for concurrent and later readers', async () => {
  const once = new DrawCache({ longestMs: 20_000 })
  const draw = jest.fn(bytes(10))
  const invoice = awaitingInvoice()
  await Promise.all(
    Array.from({ length: 5 }, () => once.getOrDraw({ invoice: { ...invoice } }, inTime(), draw)),
  )
  await once.getOrDraw({ invoice }, inTime(), draw)
  expect(draw).toHaveBeenCalledTimes(1)
  await once.getOrDraw(
    { invoice: { ...invoice, amountTtc: invoice.amountTtc + 1 } },
    inTime(),
    draw,
  )
  await once.getOrDraw({ invoice: { ...invoice, buyerName: 'another' } }, inTime(), draw)
  await once.getOrDraw({ invoice, signedXml: Buffer.from('<Invoice/>') }, inTime(), draw)
  expect(draw).toHaveBeenCalledTimes(4)
})

/** Drawings that end when they are given up, or with `end`. */
function openSlowDrawings() {
  const signals: AbortSignal[] = []
  let end!: () => void
  const draw = (signal: AbortSignal) =>
    new Promise<Buffer>((resolve, reject) => {
      signals.push(signal)
      signal.addEventListener('abort', () => reject(new Error('given up')))
      end = () => resolve(Buffer.alloc(10))
    })
  return { signals, draw, end: () => end() }
}

it('goes on for the reader with the latest deadline, and each waits until its own', async () => {
  const once = new DrawCache({ longestMs: 20_000 })
  const { signals, draw, end } = openSlowDrawings()
  const read = (ms: number) => once.getOrDraw({ invoice: awaitingInvoice() }, Date.now() + ms, draw)
  const [first, patient, last] = [read(50), read(20_000), read(50)]
  // Either may be the first to end.
  const ends = await Promise.allSettled([first, last])
  const unavailable = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } }
  expect(ends).toMatchObject([unavailable, unavailable])
  end()
  expect(await patient).toHaveLength(10)
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

it('gives a drawing up after the latest deadline, and after its longest time', async () => {
  const { signals, draw } = openSlowDrawings()
  const invoice = awaitingInvoice()
  const once = new DrawCache({ longestMs: 20_000 })
  const readers = [30, 60].map((ms) => once.getOrDraw({ invoice }, Date.now() + ms, draw))
  const ends = await Promise.allSettled(readers)
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const short = new DrawCache({ longestMs: 30 })
  await expect(short.getOrDraw({ invoice }, inTime(), draw)).rejects.toThrow('given up')
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})

it('draws nothing for a reader without time', async () => {
  const once = new DrawCache({ longestMs: 20_000 })
  const { signals, draw } = openSlowDrawings()
  const late = once.getOrDraw({ invoice: awaitingInvoice() }, Date.now(), draw)
  await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(signals).toEqual([])
})

it('remembers no failure', async () => {
  const once = new DrawCache({ longestMs: 20_000 })
  const invoice = awaitingInvoice()
  await expect(
    once.getOrDraw({ invoice }, inTime(), () => Promise.reject(new Error('busy'))),
  ).rejects.toThrow('busy')
  expect(await once.getOrDraw({ invoice }, inTime(), bytes(3))).toHaveLength(3)
})

it('remembers as much as it may hold, those read last', async () => {
  const once = new DrawCache({ longestMs: 20_000, bytesMax: 100 })
  const numbered = (invoiceNumber: string) => awaitingInvoice({ invoiceNumber })
  const isRemembered = async (number: string) => {
    const draw = jest.fn(bytes(40))
    await once.getOrDraw({ invoice: numbered(number) }, inTime(), draw)
    return draw.mock.calls.length === 0
  }
  expect(await isRemembered('1')).toBe(false)
  expect(await isRemembered('2')).toBe(false)
  expect(await isRemembered('1')).toBe(true)
  expect(await isRemembered('3')).toBe(false)
  expect(await isRemembered('1')).toBe(true)
  expect(await isRemembered('2')).toBe(false)
  await once.getOrDraw({ invoice: numbered('big') }, inTime(), bytes(101))
  const draw = jest.fn(bytes(101))
  await once.getOrDraw({ invoice: numbered('big') }, inTime(), draw)
  expect(draw).toHaveBeenCalledTimes(1)
})
