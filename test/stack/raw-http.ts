/**
 * Bytes to a socket as they are, and what comes back: for requests that no HTTP client would send.
 */

import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface RawAnswer {
  status: number
  type: string
  headers: string
  body: Buffer
  /** All that Content-Length promises has come. */
  isWhole: boolean
}

export interface RawOptions {
  /** Pieces to send, one after the other. */
  chunks: readonly (string | Buffer)[]
  /** Between two pieces, so that they do not arrive as one. */
  pauseMs?: number
  /** Half-closes after sending; some errors show only then. */
  end?: boolean
  timeoutMs?: number
  /** Reads several answers: the last request must ask to close the connection. */
  untilClosed?: boolean
}

/** What was answered until the connection closed, or fell silent; empty when nothing was. */
export function sendRaw(url: string, options: RawOptions) {
  const { chunks, pauseMs, end, timeoutMs = 30_000, untilClosed = false } = options
  const { hostname, port } = new URL(url)
  return new Promise<Buffer>((resolve) => {
    const received: Buffer[] = []
    const socket = net.connect(Number(port), hostname)
    const finish = () => {
      socket.destroy()
      resolve(Buffer.concat(received))
    }
    socket.setTimeout(timeoutMs, finish)
    socket.on('data', (chunk) => {
      received.push(chunk)
      // Keep-alive holds the connection open after the answer; a moment of silence then means that
      // it was whole. A `100 Continue` is not it yet.
      const answer = untilClosed ? undefined : parseRaw(Buffer.concat(received))
      // The body of an answer to HEAD never comes.
      const silenceMs = answer && (answer.isWhole ? 100 : 2_000)
      socket.setTimeout(silenceMs ?? timeoutMs, finish)
    })
    socket.on('error', finish)
    socket.on('close', finish)
    const write = async () => {
      socket.setNoDelay()
      for (const [at, chunk] of chunks.entries()) {
        if (at > 0 && pauseMs !== undefined) await delay(pauseMs)
        if (socket.writable) socket.write(chunk)
      }
      if (end) socket.end()
    }
    socket.on('connect', () => void write())
  })
}

/**
 * A request of which a part was sent, and whose body is being read; the rest is sent when it is
 * asked for. Its head must have `Expect: 100-continue`.
 */
export async function beginRaw(url: string, part: string) {
  const { hostname, port } = new URL(url)
  const socket = net.connect({ port: Number(port), host: hostname, noDelay: true })
  const received: Buffer[] = []
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  await once(socket, 'connect')
  socket.write(part)
  const [first] = (await once(socket, 'data')) as [Buffer]
  if (!first.toString().startsWith('HTTP/1.1 100 ')) throw new Error(`not 100: ${first.toString()}`)
  return {
    /** What was answered until the connection closed: the request must ask for that. */
    async finish(rest: string): Promise<RawAnswer | undefined> {
      const closed = socket.closed ? undefined : once(socket, 'close')
      socket.write(rest)
      await closed
      return parseRaw(Buffer.concat(received))
    },
  }
}

/** The first final answer of a connection; `undefined` when there was none. */
export function parseRaw(received: Buffer): RawAnswer | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const headers = received.subarray(0, headEnd).toString('latin1')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(headers)?.[1] ?? 0)
  const rest = received.subarray(headEnd + 4)
  if (status === 100) return parseRaw(rest)
  const type = /^content-type: *(.*)$/im.exec(headers)?.[1]?.trim() ?? ''
  const length = Number(/^content-length: *(\d+)$/im.exec(headers)?.[1] ?? rest.length)
  return { status, type, headers, body: rest.subarray(0, length), isWhole: rest.length >= length }
}
