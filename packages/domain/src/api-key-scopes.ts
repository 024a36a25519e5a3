/** Keys of earlier versions have none, which means all. */
export const apiKeyScopes = ['invoices:read', 'invoices:write'] as const

export type ApiKeyScope = (typeof apiKeyScopes)[number]

export function hasScope(scopes: readonly string[], needed: ApiKeyScope): boolean {
  return scopes.length === 0 || scopes.includes(needed)
}
