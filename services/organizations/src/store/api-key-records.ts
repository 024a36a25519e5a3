import type { Approval } from '@einvoicing/domain/approval'
import type { LegalMentions } from '@einvoicing/proto/invoice'

export interface ApiKeyLimits {
  /** None: all, as of earlier versions. */
  scopes: readonly string[]
  /** Addresses, or networks in CIDR notation; none: all. */
  allowedNetworks: readonly string[]
  /** ISO 8601. */
  expiresAt?: string | undefined
}

export interface NewApiKey extends ApiKeyLimits {
  id: string
  organizationId: string
  name: string
  /** See `digestWithPepper`. */
  digest: Buffer
  /** The mark of the digest's pepper. */
  pepper: string
  last4: string
  createdAt: string
}

type KeyNames = Pick<NewApiKey, 'id' | 'organizationId' | 'name' | 'last4'>

export interface ExpiringApiKey extends KeyNames {
  expiresAt: string
}

export interface ApiKeyHolder extends ApiKeyLimits {
  /** The one of the given digests under which it is stored. */
  digest: Buffer
  apiKeyId: string
  organizationId: string
  mentions: LegalMentions
  approval: Approval | undefined
}

export interface DigestChange {
  from: Buffer
  to: Buffer
  /** The mark of the pepper of `to`. */
  pepper: string
}
