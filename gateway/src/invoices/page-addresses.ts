import { createVerificationUrl } from '@einvoicing/access/verification-addresses'
import type { TokenKeys } from '@einvoicing/access/token-keys'
import type { Invoice } from '@einvoicing/proto/invoice'
import type { Request } from 'express'

export interface PageAddresses {
  /** `undefined`: documents have no page. */
  keys: TokenKeys | undefined
  publicUrl: string | undefined
}

/** `null` for an unsigned invoice, and when documents have no page. */
export function findPageUrl(
  { keys, publicUrl }: PageAddresses,
  { id, xmlSha256 }: Invoice,
  request: Request,
): string | null {
  const baseUrl = publicUrl ?? readOwnUrl(request)
  if (!keys || !baseUrl || xmlSha256 === undefined) return null
  return createVerificationUrl(baseUrl, id, keys)
}

const host = /^[\w.:[\]-]+$/

function readOwnUrl({ protocol, headers }: Request): string | undefined {
  return host.test(headers.host ?? '') ? `${protocol}://${headers.host}` : undefined
}
