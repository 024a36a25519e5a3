import { limits } from '@einvoicing/domain/limits'
import { invitationExpiry } from '../invitation'
import { noticesOfRole } from '../members'
import { prepareNotices } from '../notices'
import { createOneTimeToken, digestOneTimeToken } from '../one-time-token'
import { CommandError, readEmail, type CommandDeps, type OneTimeLink } from './account-command'

/** `link`: an invitation, for an email that is not a member yet. */
export type GrantedOwner =
  | { organizationId: string; email: string }
  | (OneTimeLink & { organizationId: string })

/** For an organization without an owner who can sign in. */
export async function grantOwner(
  deps: CommandDeps,
  organizationId: string,
  typed: string,
): Promise<GrantedOwner> {
  const email = readEmail(typed)
  const { store, now } = deps
  if (!(await store.findMentions(organizationId))) {
    throw new CommandError(`no organization has the id ${organizationId}`)
  }
  const members = await store.listMembers(organizationId)
  const member = members.find((one) => one.email === email)
  if (!member || member.invitationExpiresAt !== undefined) {
    return inviteOwner(deps, organizationId, email)
  }
  const by = { organizationId, actor: deps.actor }
  const granted = { id: member.id, role: 'OWNER' } as const
  const notices = await noticesOfRole(deps, granted, by)
  const changed = await store.changeRole(by, granted, (before) => ({
    at: now().toISOString(),
    actor: deps.actor,
    action: 'member.role-changed',
    detail: `${email}: ${before.role} → OWNER`,
    notices,
  }))
  if (typeof changed !== 'object') throw new CommandError(`${email} was removed in the meantime`)
  return { organizationId, email }
}

async function inviteOwner(
  deps: CommandDeps,
  organizationId: string,
  email: string,
): Promise<GrantedOwner> {
  const token = createOneTimeToken(deps)
  const [createdAt, expiresAt] = [deps.now().toISOString(), invitationExpiry(deps.now())]
  const digest = digestOneTimeToken(token)
  const invitation = { id: deps.newId(), organizationId, email, role: 'OWNER', digest } as const
  const concerned = { organizationId, owners: true, about: { email } }
  const notices = await prepareNotices(deps, 'owner-invited', concerned)
  const audit = { at: createdAt, actor: deps.actor, detail: `${email}, OWNER`, notices }
  const invited = await deps.store.invite(
    { organizationId, actor: deps.actor },
    { invitation: { ...invitation, createdAt, expiresAt }, max: limits.membersPerOrganization },
    { ...audit, action: 'member.invited' },
  )
  if (invited === 'email-taken') {
    throw new CommandError(`${email} joined meanwhile: run the command again`)
  }
  if (invited === 'too-many') {
    throw new CommandError(
      `${organizationId} has ${limits.membersPerOrganization} members, the maximum`,
    )
  }
  const link = `${deps.publicUrl}/dashboard/invitation#${token}`
  return { organizationId, email, expiresAt, link }
}
