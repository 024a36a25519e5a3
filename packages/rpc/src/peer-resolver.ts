// gRPC's resolver looks up again only after a lost connection: a new instance would get no calls.

import dns from 'node:dns/promises'
import * as grpc from '@grpc/grpc-js'

type Listener = grpc.experimental.ResolverListener
type Uri = grpc.experimental.GrpcUri

/** Delay until a change in DNS is seen, plus its TTL. */
const peersLookedUpEveryMs = 5_000
const retryMs = 500

export class PeerResolver implements grpc.experimental.Resolver {
  private readonly host: string
  private readonly port: number
  private readonly listener: Listener
  private timer: NodeJS.Timeout | undefined
  private isResolving = false
  private isOpen = false
  private lastAddresses: string | undefined

  static getDefaultAuthority({ path }: Uri): string {
    return path
  }

  constructor({ path }: Uri, listener: Listener) {
    const parts = grpc.experimental.splitHostPort(path)
    if (parts?.port === undefined) throw new Error(`${path} is not host:port`)
    this.host = parts.host
    this.port = parts.port
    this.listener = listener
  }

  updateResolution(): void {
    const isFirst = !this.isOpen
    this.isOpen = true
    if (!this.isResolving) this.scheduleLookup(isFirst ? 0 : retryMs)
  }

  destroy(): void {
    this.isOpen = false
    this.lastAddresses = undefined
    clearTimeout(this.timer)
  }

  private scheduleLookup(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.resolveHost(), ms)
    this.timer.unref()
  }

  private async resolveHost(): Promise<void> {
    this.isResolving = true
    const found = await dns
      .lookup(this.host, { all: true })
      .catch((error: unknown) => error as Error)
    this.isResolving = false
    if (!this.isOpen) return
    if (found instanceof Error) {
      if (this.lastAddresses === undefined) this.reportMissing(found)
      this.scheduleLookup(retryMs)
      return
    }
    this.reportAddresses(found.map(({ address }) => address))
    this.scheduleLookup(peersLookedUpEveryMs)
  }

  // DNS answers in any order; a new list would make the channel rebuild its own.
  private reportAddresses(addresses: readonly string[]): void {
    const sorted = [...addresses].sort()
    if (sorted.join() === this.lastAddresses) return
    this.lastAddresses = sorted.join()
    const endpoints = sorted.map((host) => ({ addresses: [{ host, port: this.port }] }))
    this.listener(grpc.experimental.statusOrFromValue(endpoints), {}, null, '')
  }

  private reportMissing({ message }: Error): void {
    const status = {
      code: grpc.status.UNAVAILABLE,
      details: `${this.host} was not found: ${message}`,
      metadata: new grpc.Metadata(),
    }
    this.listener(grpc.experimental.statusOrFromError(status), {}, null, '')
  }
}
