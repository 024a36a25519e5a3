import type { ServerResponse } from 'node:http'

/** Its responses are closed a moment after its connection is. */
export function hasClientLeft({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed
}
