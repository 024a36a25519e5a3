/**
 * Whether a server answers, asked in its own words over a bare connection.
 */

import net from 'node:net'

export const probeDeadlineMs = 2_000

/** Sends `question`, and resolves once the answer matches. */
export function probeTcp(
  port: number,
  question: string,
  expected: RegExp,
  deadlineMs = probeDeadlineMs,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = net.connect({ host: '127.0.0.1', port, timeout: deadlineMs })
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    socket.once('connect', () => socket.write(question))
    socket.once('timeout', () => fail(new Error('no answer')))
    socket.once('error', fail)
    socket.once('close', () => reject(new Error(`answered ${JSON.stringify(received)}`)))
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
      if (!expected.test(received)) return
      socket.destroy()
      resolve()
    })
  })
}

export async function probeHttp(url: string, expected: number): Promise<void> {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(probeDeadlineMs) })
  if (status !== expected) throw new Error(`answered ${status}`)
}
