import type { Approval } from '@einvoicing/domain/approval'
import type { LegalMentions } from '@einvoicing/proto/invoice'

export interface ApiKeyLimits {
  /** Empty: all, as keys of earlier versions. */
  scopes: readonly string[]
  /** Addresses, or networks in CIDR notation; empty: all. */
  allowedNetworks: readonly string[]
  expiresAt?: string | undefined
}

export interface NewApiKey extends ApiKeyLimits {
  id: string
  organizationId: string
  name: string
  /** See `digestWithPepper`. */
  digest: Buffer
  pepper: string
  last4: string
  createdAt: string
}

type KeyNames = Pick<NewApiKey, 'id' | 'organizationId' | 'name' | 'last4'>

export interface ExpiringApiKey extends KeyNames {
  expiresAt: string
}

/** Continues after a key of the search before. */
export interface ExpirySearch {
  now: string
  until: string
  days: number
  after?: Pick<ExpiringApiKey, 'expiresAt' | 'id'> | undefined
}

export interface ApiKeyHolder extends ApiKeyLimits {
  /** The digest, of those in the request, that is stored. */
  digest: Buffer
  apiKeyId: string
  organizationId: string
  mentions: LegalMentions
  approval: Approval | undefined
}

export interface DigestChange {
  from: Buffer
  to: Buffer
  pepper: string
}
