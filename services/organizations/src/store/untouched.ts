import { isDeepStrictEqual } from 'node:util'
import { mentionsNamed } from '../legal-mentions'
import type { StoredOrganization } from './store'

/** Without an ICE no invoice was ever signed. */
export function isUntouched({
  mentions,
  approval,
}: Pick<StoredOrganization, 'mentions' | 'approval'>): boolean {
  const isUndecided = approval === undefined || approval === 'PENDING'
  return isUndecided && isDeepStrictEqual({ ...mentions }, mentionsNamed(mentions.name))
}
