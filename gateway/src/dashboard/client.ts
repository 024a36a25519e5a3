/** Where a request comes from: for limits on sign-in, the list of sessions and the audit log. */

import type { Request } from 'express'

export function readClient(request: Request): { clientAddress: string; device: string } {
  return { clientAddress: request.ip ?? '', device: request.headers['user-agent'] ?? '' }
}
