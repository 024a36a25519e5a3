import type { ServerResponse } from 'node:http'

/** Its responses are closed a moment after its connection is. */
export function hasClientLeft({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed
}

/** Aborted when the answer is over, too: for what is done before it. */
export function signalWhenClientLeaves(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  if (hasClientLeft(response)) left.abort()
  response.once('close', () => left.abort())
  return left.signal
}
