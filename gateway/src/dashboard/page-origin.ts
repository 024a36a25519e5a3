import type { Request } from 'express'
import type { SessionDeps } from './session'

/** Passkeys are bound to it. From `PUBLIC_URL`, else from the request. */
export function toOrigin(request: Request, { publicUrl }: Pick<SessionDeps, 'publicUrl'>): string {
  if (publicUrl !== undefined) return new URL(publicUrl).origin
  return `${request.protocol}://${request.headers.host ?? ''}`
}
