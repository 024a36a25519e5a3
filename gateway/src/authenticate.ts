// Before body and path, so that a client without a key costs little. A mistyped key fails its
// checksum, without a lookup.

import { isAllowedAddress } from '@einvoicing/access/allowed-networks'
import {
  apiKeyInvalid,
  digestApiKey,
  insufficientScope,
  isWellFormedApiKey,
  networkNotAllowed,
} from '@einvoicing/access/api-key'
import { hasScope } from '@einvoicing/domain/api-key-scopes'
import { clientNetwork } from '@einvoicing/access/client-network'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import type { OrganizationsService } from '@einvoicing/proto/organizations'
import type { Request, RequestHandler } from 'express'
import { findSlot } from './http/overload/slot'
import { authorize, createCall, getExchange } from './http/exchange'
import { createKeyLookUp } from './key-look-up'
import type { RateLimit } from './rate-limit/rate-limit'
import { UnknownKeys } from './rate-limit/unknown-keys'

export interface AuthenticateDeps {
  organizations: Service<OrganizationsService>
  rateLimit: RateLimit
}

export function authenticateByApiKey({
  organizations,
  rateLimit,
}: AuthenticateDeps): RequestHandler {
  const unknownKeys = new UnknownKeys()
  const lookUpKey = createKeyLookUp(organizations)
  return async (request, response, next) => {
    const { apiKeyId, scopes } = await authorize(response, async () => {
      const key = readBearer(request.headers.authorization)
      if (!isWellFormedApiKey(key)) throw apiKeyInvalid()
      const keySha256 = digestApiKey(key)
      const network = clientNetwork(request.ip ?? '')
      const known = await unknownKeys.guard(network, keySha256, () =>
        lookUpKey({ keySha256, clientNetwork: network }, createCall(response)),
      )
      if (!isAllowedAddress(request.ip ?? '', known.allowedNetworks)) {
        // Per network: a stolen key must not use up the requests of its owner.
        await rateLimit.take({ kind: 'key', id: `${known.apiKeyId} from ${network}` }, response)
        throw networkNotAllowed(network)
      }
      const { organizationId, mentions, missing, approval } = known
      findSlot(response)?.assign(organizationId, keySha256)
      const exchange = getExchange(response)
      exchange.caller = { service: 'gateway', organizationId, actor: `api-key:${known.apiKeyId}` }
      exchange.issuer = { mentions, missing, approval }
      return known
    })
    await rateLimit.take({ kind: 'key', id: apiKeyId }, response)
    checkScope(scopes, request)
    next()
  }
}

// The routers ignore slashes at the end.
const readingPosts = /^\/(verify|invoices\/preview)\/*$/

function checkScope(scopes: readonly string[], { method, path }: Request): void {
  const isRead = method === 'GET' || method === 'HEAD' || readingPosts.test(path)
  const needed = isRead ? 'invoices:read' : 'invoices:write'
  if (!hasScope(scopes, needed)) throw insufficientScope(needed)
}

// RFC 6750, section 2.1; the scheme's name is case-insensitive (RFC 9110, section 11.1).
const bearer = /^Bearer +(\S+) *$/i

/** Throws `API_KEY_MISSING` when the header is absent, empty or malformed. */
function readBearer(header: string | undefined): string {
  const [, key] = bearer.exec(header ?? '') ?? []
  if (key !== undefined) return key
  throw apiKeyMissing(header)
}

export function apiKeyMissing(header: string | undefined): ApiError {
  return new ApiError(
    'API_KEY_MISSING',
    header
      ? 'The Authorization header must be "Bearer <API key>".'
      : 'Send your API key in the header "Authorization: Bearer <API key>".',
  )
}
