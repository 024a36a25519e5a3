import { offerPasswordReset, toResetLink } from '../password-reset'
import { CommandError, readEmail, type CommandDeps, type OneTimeLink } from './account-command'

export async function createResetLink(deps: CommandDeps, typed: string): Promise<OneTimeLink> {
  const email = readEmail(typed)
  const user = await deps.store.findUser(email)
  if (!user) throw new CommandError(`no user has the email ${email}`)
  const { token, expiresAt } = await offerPasswordReset(deps, user, { actor: deps.actor })
  return { email, expiresAt, link: toResetLink(deps.publicUrl, token) }
}
