/** What an API key may do. A key without any, as of earlier versions, has all of them. */
export const apiKeyScopes = ['invoices:read', 'invoices:write'] as const

export type ApiKeyScope = (typeof apiKeyScopes)[number]

export function hasScope(scopes: readonly string[], needed: ApiKeyScope): boolean {
  return scopes.length === 0 || scopes.includes(needed)
}
