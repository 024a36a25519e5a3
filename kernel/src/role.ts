/** What a member of an organization may do. */

import type { MemberRole } from '@einvoicing/proto/organizations'
import { Refusal } from './refusal'

export type Role = Exclude<MemberRole, 'MEMBER_ROLE_UNSPECIFIED'>

/** From the least to the most: each may do all that those before it may. */
export const roles = ['READ_ONLY', 'MEMBER', 'OWNER'] as const satisfies readonly Role[]

/** The wire's zero value is no role: whoever comes with it may do nothing. */
export function mayDo(role: MemberRole, needed: Role): boolean {
  return roles.indexOf(role as Role) >= roles.indexOf(needed)
}

/** Throws `FORBIDDEN` where the role does not reach. */
export function checkRole(role: MemberRole, needed: Role): void {
  if (mayDo(role, needed)) return
  throw new Refusal(
    'FORBIDDEN',
    `This needs the role ${needed}, and yours is ${role}. Ask an owner of your organization to do it, or to change your role.`,
  )
}
