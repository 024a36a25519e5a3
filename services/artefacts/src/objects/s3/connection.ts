import http from 'node:http'
import https from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectionCut } from '@einvoicing/runtime/connection-failures'
import { SettingsError } from '@einvoicing/runtime/env'
import { rpcMessageBytes } from '@einvoicing/rpc/message-size'
import { unavailable } from '@einvoicing/domain/api-error'
import { Client, type ClientOptions } from 'minio'
import { ServerBusy, explainError, type S3Place } from './s3-errors'

const connectionsMax = 32
const usualSilenceMs = 5_000 // no byte either way, connecting included
const requestMs = 30_000
// After one cut connection other idle ones may be broken too: this gives time to notice.
const pausesMs = [20, 100, 400]

type Transport = NonNullable<ClientOptions['transport']>

export interface S3Request {
  method: 'GET' | 'PUT'
  key?: string
  query?: string
  headers?: Record<string, string>
  body?: Buffer | string
}

export interface S3Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * An unexpected answer becomes SERVICE_UNAVAILABLE, whose cause names a wrong setting. All requests
 * are idempotent, so they are repeated after a cut connection.
 */
export class S3Connection {
  readonly place: S3Place
  private readonly agent: http.Agent
  private readonly client: Client

  constructor(place: S3Place, secretKey: string, silenceMs = usualSilenceMs) {
    this.place = place
    const { protocol, hostname, port } = new URL(place.url)
    const secure = protocol === 'https:'
    this.agent = new (secure ? https : http).Agent({ keepAlive: true, maxSockets: connectionsMax })
    this.client = makeClient({
      endPoint: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (secure ? 443 : 80)),
      useSSL: secure,
      region: place.region,
      accessKey: place.accessKey,
      secretKey,
      transport: createBoundedTransport(secure, silenceMs),
      transportAgent: this.agent,
      // The client's own retries write to the console and leave connections open.
      retryOptions: { disableRetry: true },
    })
  }

  request(request: S3Request, statuses: readonly number[]): Promise<S3Answer> {
    const { method, key, query, headers, body = '' } = request
    return this.call(async (client) => {
      const options = {
        method,
        bucketName: this.place.bucket,
        ...(key !== undefined && { objectName: key }),
        ...(query !== undefined && { query }),
        headers: { ...headers },
      }
      const answer = await client.makeRequestAsync(options, body, [...statuses])
      const { statusCode = 0, headers: answered } = answer
      return { status: statusCode, headers: answered, body: await readBody(answer) }
    })
  }

  async call<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await this.repeatWhenCut(() => work(this.client))
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) throw error
      throw unavailable('The archive', explainError(error, this.place))
    }
  }

  close(): void {
    this.agent.destroy()
  }

  /** A restarting server cuts connections; MinIO closes an idle one after a failed condition. */
  private async repeatWhenCut<T>(work: () => Promise<T>): Promise<T> {
    for (const pauseMs of pausesMs) {
      try {
        return await work()
      } catch (error) {
        if (!isConnectionCut(error)) throw error
        await sleep(pauseMs)
      }
    }
    return work()
  }
}

function makeClient(options: ClientOptions): Client {
  try {
    return new Client(options)
  } catch (error) {
    throw new SettingsError([`S3_URL is not a valid address: ${(error as Error).message}`])
  }
}

/** The client has no deadline, and leaves the connection of a 5xx answer open. */
function createBoundedTransport(secure: boolean, silenceMs: number): Transport {
  const module = secure ? https : http
  const request = (options: https.RequestOptions, onAnswer: (answer: S3Stream) => void) => {
    const bounded = { ...options, signal: AbortSignal.timeout(requestMs) }
    const sent = module.request(bounded, (answer) => {
      const { statusCode = 0 } = answer
      if (ServerBusy.statuses.test(String(statusCode))) {
        sent.emit('error', new ServerBusy(statusCode))
        answer.destroy()
      } else {
        onAnswer(answer)
      }
    })
    sent.setTimeout(silenceMs, () => {
      sent.destroy(new Error(`no answer from the S3 server for ${silenceMs} ms`))
    })
    return sent
  }
  return { request } as Transport
}

type S3Stream = http.IncomingMessage

async function readBody(answer: S3Stream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > 2 * rpcMessageBytes) throw new Error('the answer of the S3 server is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
