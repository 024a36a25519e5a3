import { promises as fs } from 'node:fs'
import type { Invoice } from '@einvoicing/proto/invoice'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { drawInvoice } from '../pdf/draw-invoice'
import { openFaces } from '../text/fonts'
import { awaitingInvoice, sampleInvoice, sampleLine } from '../testdata/invoices'
import { openDrawing, type Drawing } from './drawing'

// One for all: opening fonts is what takes time.
let drawing: Drawing

beforeAll(() => {
  drawing = openDrawing({ log: createLog('silent'), threads: 1, queueMax: 3 })
})

afterAll(() => drawing.close())

const inTime = () => Date.now() + 20_000

const numbered = (n: number) => sampleInvoice({ invoiceNumber: `F-${n}` })

function invoiceOfLines(count: number): Invoice {
  return awaitingInvoice({
    lines: Array.from({ length: count }, (_, i) =>
      sampleLine({ description: `Article ${i + 1}` }, i + 1),
    ),
  })
}

it('draws the same bytes in a thread as here', async () => {
  const faces = openFaces()
  for (const invoice of [sampleInvoice(), awaitingInvoice(), sampleInvoice()]) {
    const here = await drawInvoice(invoice, faces)
    expect((await drawing.pdf({ invoice }, inTime())).equals(here)).toBe(true)
  }
})

it('draws PDF and QR code together, with the same bytes as separately', async () => {
  const invoice = sampleInvoice()
  const qrCode = invoice.dgiQrCode as string
  const signedXml = Buffer.from('<Invoice/>')
  const { pdf, qr } = await drawing.final({ invoice, signedXml, qrCode }, inTime())
  expect(pdf.equals(await drawing.pdf({ invoice, signedXml }, inTime()))).toBe(true)
  expect(pdf.equals(await drawing.pdf({ invoice }, inTime()))).toBe(false)
  expect(qr?.equals(await drawing.qr(qrCode, inTime()))).toBe(true)
  const rejected = awaitingInvoice({ status: 'REJECTED' })
  expect((await drawing.final({ invoice: rejected, qrCode: undefined }, inTime())).qr).toBe(
    undefined,
  )
})

it('rejects what would wait too long, and only that', async () => {
  await drawing.pdf({ invoice: sampleInvoice() }, inTime())
  const pending = Array.from({ length: 10 }, (_, n) =>
    drawing.pdf({ invoice: numbered(n) }, inTime()),
  )
  const settled = await Promise.allSettled(pending)
  // One at work and three waiting.
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  for (const result of settled) {
    if (result.status === 'rejected') {
      expect(result.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    }
  }
})

it('takes turns: many requests of one organization delay another only by its share', async () => {
  await drawing.pdf({ invoice: numbered(-1) }, inTime())
  const order: string[] = []
  const draw = (lane: string, n: number) =>
    drawing.pdf({ invoice: numbered(100 + n) }, inTime(), lane).then(
      () => order.push(lane),
      () => order.push(`-${lane}`),
    )
  await Promise.all([...[1, 2, 3, 4].map((n) => draw('many', n)), draw('few', 5)])
  // One was at work; of three that waited the last made space, and the other's turn is the second.
  expect(order).toEqual(['-many', 'many', 'many', 'few', 'many'])
})

it('draws the same invoice once for concurrent readers', async () => {
  const pending = Array.from({ length: 50 }, () =>
    drawing.pdf({ invoice: numbered(200) }, inTime()),
  )
  const drawn = await Promise.all(pending)
  expect(drawn.every((pdf) => pdf.equals(drawn[0]!))).toBe(true)
})

it('answers at the deadline, at work or waiting, and goes on with the next', async () => {
  await drawing.pdf({ invoice: sampleInvoice() }, inTime())
  const soon = Date.now() + 50
  const big = invoiceOfLines(1_000)
  const settled = await Promise.allSettled([
    drawing.pdf({ invoice: big }, soon),
    drawing.pdf({ invoice: { ...big, id: 'another' } }, soon),
  ])
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const pdf = await drawing.pdf({ invoice: numbered(300) }, inTime())
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
})

it('goes on with what has begun, for a reader that comes again', async () => {
  // Nothing of the test before holds the thread.
  await drawing.pdf({ invoice: numbered(301) }, inTime())
  const gauge = metrics.getSingleMetric('einvoicing_drawing_in_progress')
  const countInProgress = async () => (await gauge?.get())?.values[0]?.value
  // On a busy machine the thread may have ended before this one looks.
  let invoice = invoiceOfLines(1_000)
  for (let attempt = 0; attempt < 5 && (await countInProgress()) !== 1; attempt += 1) {
    invoice = { ...invoice, id: `read again ${attempt}` }
    await expect(drawing.pdf({ invoice }, Date.now() + 50)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    })
  }
  expect(await countInProgress()).toBe(1)
  const again = drawing.pdf({ invoice }, inTime())
  expect(await countInProgress()).toBe(1)
  expect((await again).subarray(0, 5).toString()).toBe('%PDF-')
  expect(await countInProgress()).toBe(0)
})

it('gives the same invoice to a reader with more time than the first', async () => {
  const big = { ...invoiceOfLines(1_000), id: 'two readers' }
  const first = drawing.pdf({ invoice: big }, Date.now() + 50)
  const second = drawing.pdf({ invoice: { ...big } }, inTime())
  await expect(first).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect((await second).subarray(0, 5).toString()).toBe('%PDF-')
})

it('distinguishes an invoice that cannot be drawn from a busy pool', async () => {
  const cancelled = awaitingInvoice({ status: 'CANCELLED' })
  await expect(drawing.pdf({ invoice: cancelled }, inTime())).rejects.toThrow(/has no PDF/)
})

it('draws at low priority and keeps the event loop free', async () => {
  if (process.platform !== 'linux') return
  await drawing.pdf({ invoice: sampleInvoice() }, inTime())
  const threads = await fs.readdir('/proc/self/task')
  const niceness = await Promise.all(threads.map((thread) => readNiceness(thread)))
  expect(niceness).toContain((await readNiceness(String(process.pid))) + 5)
})

async function readNiceness(thread: string): Promise<number> {
  const stat = await fs.readFile(`/proc/self/task/${thread}/stat`, 'utf8')
  // proc(5): field 19; the second field is a name in brackets that may hold spaces.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
