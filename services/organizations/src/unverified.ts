import type { Deps } from './deps'
import type { User } from './store/store'

export function toUnverified(
  { verifiesEmail }: Pick<Deps, 'verifiesEmail'>,
  { unverifiedSince }: Pick<User, 'unverifiedSince'>,
): { emailUnverified?: true } {
  return verifiesEmail && unverifiedSince !== undefined ? { emailUnverified: true } : {}
}

export function startUnverified(
  { verifiesEmail }: Pick<Deps, 'verifiesEmail'>,
  at: string,
): Pick<User, 'unverifiedSince'> {
  return verifiesEmail ? { unverifiedSince: at } : {}
}
