/**
 * Finds every address behind the name of a service, and looks again every few seconds: an instance
 * that is added takes calls soon, and one that is about to stop loses its callers while its door is
 * still open.
 *
 * gRPC's own resolver looks only when a connection is lost. A name that is found no more keeps its
 * last addresses.
 */

import dns from 'node:dns/promises'
import * as grpc from '@grpc/grpc-js'

type Listener = grpc.experimental.ResolverListener
type Uri = grpc.experimental.GrpcUri

/** How late a change in DNS is known. Operators add it to what their DNS keeps an answer for. */
export const peersLookedUpEveryMs = 5_000
const againMs = 500

export class PeerResolver implements grpc.experimental.Resolver {
  private readonly host: string
  private readonly port: number
  private readonly listener: Listener
  private timer: NodeJS.Timeout | undefined
  private isLooking = false
  private isOpen = false
  /** What the channel was told last. */
  private told: string | undefined

  static getDefaultAuthority({ path }: Uri): string {
    return path
  }

  constructor({ path }: Uri, listener: Listener) {
    const parts = grpc.experimental.splitHostPort(path)
    if (parts?.port === undefined) throw new Error(`${path} is no host:port`)
    this.host = parts.host
    this.port = parts.port
    this.listener = listener
  }

  /** The channel asks at its start and when it lost a connection. */
  updateResolution(): void {
    const isFirst = !this.isOpen
    this.isOpen = true
    if (!this.isLooking) this.lookIn(isFirst ? 0 : againMs)
  }

  destroy(): void {
    this.isOpen = false
    this.told = undefined
    clearTimeout(this.timer)
  }

  private lookIn(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.look(), ms)
    this.timer.unref()
  }

  private async look(): Promise<void> {
    this.isLooking = true
    const found = await dns
      .lookup(this.host, { all: true })
      .catch((error: unknown) => error as Error)
    this.isLooking = false
    if (!this.isOpen) return
    if (found instanceof Error) {
      if (this.told === undefined) this.tellAbsence(found)
      this.lookIn(againMs)
      return
    }
    this.tell(found.map(({ address }) => address))
    this.lookIn(peersLookedUpEveryMs)
  }

  // DNS answers in any order; the channel would build its list anew each time.
  private tell(addresses: readonly string[]): void {
    const sorted = [...addresses].sort()
    if (sorted.join() === this.told) return
    this.told = sorted.join()
    const endpoints = sorted.map((host) => ({ addresses: [{ host, port: this.port }] }))
    this.listener(grpc.experimental.statusOrFromValue(endpoints), {}, null, '')
  }

  private tellAbsence({ message }: Error): void {
    const status = {
      code: grpc.status.UNAVAILABLE,
      details: `${this.host} is not found: ${message}`,
      metadata: new grpc.Metadata(),
    }
    this.listener(grpc.experimental.statusOrFromError(status), {}, null, '')
  }
}
