import { prepareNotices } from '../notices'
import { isEnrolled } from '../second-factor/factors'
import { CommandError, readEmail, type CommandDeps } from './account-command'

/** For a user who lost the second factor and the recovery codes. Ends their sessions. */
export async function resetSecondFactor(
  deps: CommandDeps,
  typed: string,
): Promise<{ email: string }> {
  const { store, now, actor } = deps
  const email = readEmail(typed)
  const user = await store.findUser(email)
  if (!user) throw new CommandError(`no user has the email ${email}`)
  const { id, organizationId } = user
  const concerned = { organizationId, to: [email], about: { change: 'reset' } }
  const notices = await prepareNotices(deps, 'second-factor-changed', concerned)
  const audit = { at: now().toISOString(), actor, action: 'second-factor.reset', detail: email }
  const isReset = await store.changeSecondFactors({ organizationId, actor }, id, (before) => {
    if (!isEnrolled(before)) return undefined
    return {
      after: { passkeys: [], used: before.used },
      audits: [{ ...audit, notices }],
      endsSessions: true,
    }
  })
  if (!isReset) throw new CommandError(`${email} has no second factor`)
  return { email }
}
