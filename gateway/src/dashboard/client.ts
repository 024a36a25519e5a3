import { clientNetwork } from '@einvoicing/access/client-network'
import { limits } from '@einvoicing/domain/limits'
import type { Request } from 'express'

export function readClient(request: Request): { clientAddress: string; device: string } {
  const device = (request.headers['user-agent'] ?? '').slice(0, limits.deviceLength)
  return { clientAddress: request.ip ?? '', device }
}

export function describeClient(request: Request): { network: string; device: string } {
  const { clientAddress, device } = readClient(request)
  return { network: clientNetwork(clientAddress), device }
}
