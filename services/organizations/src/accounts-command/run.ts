/** What an operator may do for users who can no longer help themselves. Each is audited. */

import { parseArgs } from 'node:util'
import { limits } from '@einvoicing/domain/limits'
import type { Deps } from '../deps'
import { findEmailError, normaliseEmail } from '../email'
import { digestInvitationToken, generateInvitationToken, invitationExpiry } from '../invitation'
import { offerPasswordReset } from '../password-reset'

export const usage = [
  'npm run accounts -- COMMAND, on the store that DATA_DIR or MONGODB_URL names; the service may run meanwhile:',
  '  reset-password EMAIL              print a link by which the user sets a new password: once, within 30 minutes',
  '  grant-owner ORGANIZATION EMAIL    make the member with this email OWNER; invite as OWNER who is no user yet',
  'ORGANIZATION is the id of an organization. Links begin with PUBLIC_URL.',
].join('\n')

/** Ends the command with one sentence. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export type CommandDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'newId'> & {
  /** Without a slash at its end. */
  publicUrl: string
}

const actor = 'operator'

/** Answers what to print. */
export async function runAccountsCommand(
  args: readonly string[],
  open: () => Promise<CommandDeps>,
): Promise<string> {
  const { positionals, values } = readArguments(args)
  if (values.help) return usage
  const [command, ...rest] = positionals
  if (command === 'reset-password' && rest.length === 1) {
    return resetPassword(await open(), readEmail(rest[0]))
  }
  if (command === 'grant-owner' && rest.length === 2) {
    const email = readEmail(rest[1])
    return grantOwner(await open(), rest[0] ?? '', email)
  }
  throw new CommandError(usage)
}

function readArguments(args: readonly string[]) {
  try {
    const options = { help: { type: 'boolean', short: 'h', default: false } } as const
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${usage}`)
  }
}

function readEmail(typed = ''): string {
  const email = normaliseEmail(typed)
  const fault = findEmailError(email)
  if (fault !== undefined) throw new CommandError(`${typed} is no email: it ${fault}`)
  return email
}

async function resetPassword(deps: CommandDeps, email: string): Promise<string> {
  const user = await deps.store.findUser(email)
  if (!user) throw new CommandError(`no user has the email ${email}`)
  const { token, expiresAt } = await offerPasswordReset(deps, user, actor)
  return [
    `${email} may set a new password until ${expiresAt}, once; all their sessions end then. Hand over:`,
    `${deps.publicUrl}/dashboard/reset#token=${token}`,
  ].join('\n')
}

async function grantOwner(
  deps: CommandDeps,
  organizationId: string,
  email: string,
): Promise<string> {
  const { store, now } = deps
  if (!(await store.findMentions(organizationId))) {
    throw new CommandError(`no organization has the id ${organizationId}`)
  }
  const by = { organizationId, actor }
  const members = await store.listMembers(organizationId)
  const member = members.find((one) => one.email === email)
  if (!member || member.invitationExpiresAt !== undefined)
    return inviteOwner(deps, organizationId, email)
  const changed = await store.changeRole(by, { id: member.id, role: 'OWNER' }, (before) => ({
    at: now().toISOString(),
    actor,
    action: 'member.role-changed',
    detail: `${email}: ${before.role} → OWNER`,
  }))
  if (typeof changed !== 'object') throw new CommandError(`${email} was removed meanwhile`)
  return `${email} is OWNER of ${organizationId}`
}

async function inviteOwner(
  deps: CommandDeps,
  organizationId: string,
  email: string,
): Promise<string> {
  const token = generateInvitationToken(deps)
  const [createdAt, expiresAt] = [deps.now().toISOString(), invitationExpiry(deps.now())]
  const digest = digestInvitationToken(token)
  const invitation = { id: deps.newId(), organizationId, email, role: 'OWNER', digest } as const
  const invited = await deps.store.invite(
    { organizationId, actor },
    { invitation: { ...invitation, createdAt, expiresAt }, max: limits.membersPerOrganization },
    { at: createdAt, actor, action: 'member.invited', detail: `${email}, OWNER` },
  )
  if (invited === 'email-taken') {
    throw new CommandError(`${email} is a user of another organization: an email has one only`)
  }
  if (invited === 'too-many') {
    throw new CommandError(`${organizationId} has ${limits.membersPerOrganization} members already`)
  }
  return [
    `${email} may join ${organizationId} as OWNER until ${expiresAt}, once. Hand over:`,
    `${deps.publicUrl}/dashboard/invitation#${token}`,
  ].join('\n')
}
