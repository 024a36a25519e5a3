import type { Request } from 'express'

export function readClient(request: Request): { clientAddress: string; device: string } {
  return { clientAddress: request.ip ?? '', device: request.headers['user-agent'] ?? '' }
}
