import type { ServerResponse } from 'node:http'

/** A response that waits behind another of its connection is not closed with it. */
export function hasClientLeft({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed
}
