import type { LegalMention } from '@einvoicing/domain/legal-mentions'
import { useQuery } from '@tanstack/react-query'
import { call, type CallOptions, type Method } from './connection'
import type { Schemas } from './schemas'

export type Organization = Schemas['Organization'] & { etag: string }
export type Mentions = Pick<Organization, LegalMention>

export const organizationKey = ['organization'] as const

export const organizationQuery = {
  queryKey: organizationKey,
  queryFn: ({ signal }: { signal?: AbortSignal }) =>
    callTagged('GET', { ...(signal && { signal }) }),
}

export function useOrganization() {
  return useQuery(organizationQuery)
}

/** Throws PRECONDITION_FAILED if another user has saved a newer version than `etag`. */
export const updateMentions = (mentions: Mentions, etag: string) =>
  callTagged('PUT', { body: mentions, headers: { 'If-Match': etag } })

async function callTagged(method: Method, options: CallOptions): Promise<Organization> {
  let etag = ''
  const onHeaders = (headers: Headers) => {
    etag = headers.get('etag') ?? ''
  }
  const path = '/organization'
  const data = await call<Schemas['Organization']>(method, path, { ...options, onHeaders })
  return { ...data, etag }
}
