/** What a member of an organization may do. */

import type { MemberRole } from '@einvoicing/proto/organizations'

export type Role = Exclude<MemberRole, 'MEMBER_ROLE_UNSPECIFIED'>

/** From the least to the most: each may do all that those before it may. */
export const roles = ['READ_ONLY', 'MEMBER', 'OWNER'] as const satisfies readonly Role[]

/** The wire's zero value is no role: whoever comes with it may do nothing. */
export function mayDo(role: MemberRole, needed: Role): boolean {
  return roles.indexOf(role as Role) >= roles.indexOf(needed)
}
