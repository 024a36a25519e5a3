/** Bounded connections, one deadline a call, a bounded answer, no redirects. */

import { Agent } from 'undici'

export interface HttpQuery {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: Buffer
  deadlineMs: number
  answerBytesMax: number
}

export interface HttpClient {
  /** The body of an answer 200; anything else throws. */
  send(query: HttpQuery): Promise<Buffer>
  close(): Promise<void>
}

const connectionsMax = 16
const bodyShown = 200

export function openHttpClient(): HttpClient {
  const agent = new Agent({ connections: connectionsMax })
  return {
    async send({ method, url, headers, body = null, deadlineMs, answerBytesMax }) {
      const { origin, pathname, search } = new URL(url)
      const answer = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method,
        body,
        ...(headers && { headers }),
        signal: AbortSignal.timeout(Math.max(1, deadlineMs)),
      })
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        length += chunk.length
        if (length > answerBytesMax) throw new Error(`the answer is larger than ${answerBytesMax}`)
        chunks.push(chunk)
      }
      const bytes = Buffer.concat(chunks)
      if (answer.statusCode === 200) return bytes
      const shown = bytes.toString('utf8').slice(0, bodyShown)
      throw new Error(`it answered HTTP ${answer.statusCode}: ${shown}`)
    },
    close: () => agent.close(),
  }
}
