import { ApiError } from './api-error'

export const roles = ['READ_ONLY', 'ACCOUNTANT', 'MEMBER', 'OWNER'] as const

export type Role = (typeof roles)[number]

type MemberRole = Role | 'MEMBER_ROLE_UNSPECIFIED'

/** The unspecified role has no rights. */
export function mayDo(role: MemberRole, needed: Role): boolean {
  return roles.indexOf(role as Role) >= roles.indexOf(needed)
}

export function checkRole(role: MemberRole, needed: Role): void {
  if (mayDo(role, needed)) return
  throw forbidden(role, needed)
}

export function forbidden(role: MemberRole, needed: Role): ApiError {
  return new ApiError(
    'FORBIDDEN',
    `This request needs the role ${needed}; your role is ${role}. Ask an owner of your organization to do it, or to change your role.`,
  )
}
