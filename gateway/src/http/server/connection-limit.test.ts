import { once } from 'node:events'
import net from 'node:net'
import { fetchFrom, openForTest, postInvoice, simpleInvoice } from '../../testdata/open-gateway'
import { smallInvoices } from '../../testdata/small-services'
import type { Gateway } from '../../service'
import { affordableConnections } from './connection-limit'

describe('too many connections', () => {
  const connect = async (port: number) => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket.resume()
  }
  // Whether the server closed them, in the order in which they were opened.
  const countClosed = async (gateway: Gateway, sockets: readonly net.Socket[], least: number) => {
    // Answered after the server has seen them all.
    expect((await fetchFrom(gateway, '/livez')).status).toBe(200)
    do await new Promise((resolve) => setTimeout(resolve, 50))
    while (sockets.filter(({ closed }) => closed).length < least)
    return sockets.map(({ closed }) => closed)
  }

  it('of one network: half stay open, and a new network is served', async () => {
    const small = await openForTest({ MAX_CONNECTIONS: '10' })
    const sockets = []
    for (let opened = 0; opened < 5; opened += 1) sockets.push(await connect(small.port))
    sockets[0]?.write('POST /v1/invoices HTTP/1.1\r\nHost: x\r\n')
    expect(await countClosed(small, sockets, 1)).toEqual([true, false, false, false, false])
    sockets.forEach((socket) => socket.destroy())
    await small.close()
  })

  it('behind a proxy: all but the last may be one network’s', async () => {
    const small = await openForTest({ MAX_CONNECTIONS: '10', TRUST_PROXY: '1' })
    const sockets = []
    for (let opened = 0; opened < 8; opened += 1) sockets.push(await connect(small.port))
    expect(await countClosed(small, sockets, 0)).toEqual(Array(8).fill(false))
    sockets.push(await connect(small.port), await connect(small.port))
    expect((await countClosed(small, sockets, 1)).filter(Boolean)).not.toHaveLength(0)
    sockets.forEach((socket) => socket.destroy())
    await small.close()
  })

  it('never closes one that is being answered', async () => {
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let began = 0
    const invoices = smallInvoices()
    const small = await openForTest(
      { MAX_CONNECTIONS: '10' },
      {
        invoices: {
          ...invoices,
          createInvoice: async (request, call) => {
            began += 1
            await held
            return invoices.createInvoice(request, call)
          },
        },
      },
    )
    const answers = Array.from({ length: 5 }, () => postInvoice(small, simpleInvoice))
    while (began < answers.length) await new Promise((resolve) => setTimeout(resolve, 10))
    const refused = await connect(small.port)
    await once(refused, 'close')
    letGo()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(201))
    await small.close()
  })
})

it.each([
  [8192, Infinity, 8192],
  [8192, 20_000, 8192],
  [8192, 1024, 768],
  [100, 1024, 100],
])('of %i connections, where %i files may be open, %i are afforded', (wanted, files, afforded) => {
  expect(affordableConnections(wanted, files)).toBe(afforded)
})
