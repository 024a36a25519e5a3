import { awaitingInvoice } from '../testdata/invoices'
import { DrawCache } from './draw-cache'

const bytes = (length: number) => async () => Buffer.alloc(length)

it('draws once for concurrent and later readers', async () => {
  const once = new DrawCache()
  const draw = jest.fn(bytes(10))
  const invoice = awaitingInvoice()
  await Promise.all(
    Array.from({ length: 5 }, () => once.getOrDraw({ invoice: { ...invoice } }, draw)),
  )
  await once.getOrDraw({ invoice }, draw)
  expect(draw).toHaveBeenCalledTimes(1)
  await once.getOrDraw({ invoice: { ...invoice, amountTtc: invoice.amountTtc + 1 } }, draw)
  await once.getOrDraw({ invoice: { ...invoice, buyerName: 'another' } }, draw)
  await once.getOrDraw({ invoice, signedXml: Buffer.from('<Invoice/>') }, draw)
  expect(draw).toHaveBeenCalledTimes(4)
})

it('remembers no failure', async () => {
  const once = new DrawCache()
  const invoice = awaitingInvoice()
  await expect(
    once.getOrDraw({ invoice }, () => Promise.reject(new Error('busy'))),
  ).rejects.toThrow('busy')
  expect(await once.getOrDraw({ invoice }, bytes(3))).toHaveLength(3)
})

it('remembers as much as it may hold, those read last', async () => {
  const once = new DrawCache(100)
  const numbered = (invoiceNumber: string) => awaitingInvoice({ invoiceNumber })
  const isRemembered = async (number: string) => {
    const draw = jest.fn(bytes(40))
    await once.getOrDraw({ invoice: numbered(number) }, draw)
    return draw.mock.calls.length === 0
  }
  expect(await isRemembered('1')).toBe(false)
  expect(await isRemembered('2')).toBe(false)
  expect(await isRemembered('1')).toBe(true)
  expect(await isRemembered('3')).toBe(false)
  expect(await isRemembered('1')).toBe(true)
  expect(await isRemembered('2')).toBe(false)
  await once.getOrDraw({ invoice: numbered('big') }, bytes(101))
  const draw = jest.fn(bytes(101))
  await once.getOrDraw({ invoice: numbered('big') }, draw)
  expect(draw).toHaveBeenCalledTimes(1)
})
