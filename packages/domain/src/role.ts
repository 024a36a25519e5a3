import { ApiError } from './api-error'

/** From the least to the most: each may do all that those before it may. */
export const roles = ['READ_ONLY', 'MEMBER', 'OWNER'] as const

export type Role = (typeof roles)[number]

/** A role as the wire has it, whose zero value is none. */
type MemberRole = Role | 'MEMBER_ROLE_UNSPECIFIED'

/** The wire's zero value is no role: anyone who comes with it may do nothing. */
export function mayDo(role: MemberRole, needed: Role): boolean {
  return roles.indexOf(role as Role) >= roles.indexOf(needed)
}

/** Throws `FORBIDDEN` where the role does not reach. */
export function checkRole(role: MemberRole, needed: Role): void {
  if (mayDo(role, needed)) return
  throw forbidden(role, needed)
}

export function forbidden(role: MemberRole, needed: Role): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `This needs the role ${needed}, and yours is ${role}. Ask an owner of your organization to do it, or to change your role.`,
  )
}
