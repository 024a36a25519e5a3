import { isEnrolled } from '../second-factor/factors'
import { CommandError, readEmail, type CommandDeps } from './account-command'

/** For a user who lost the second factor and the recovery codes. Ends their sessions. */
export async function resetSecondFactor(
  { store, now, newId, actor }: CommandDeps,
  typed: string,
): Promise<{ email: string }> {
  const email = readEmail(typed)
  const user = await store.findUser(email)
  if (!user) throw new CommandError(`no user has the email ${email}`)
  const { id, organizationId } = user
  const at = now().toISOString()
  const about = { change: 'reset' }
  const notice = { id: newId(), to: email, network: '', createdAt: at, about }
  const audit = { at, actor, action: 'second-factor.reset', detail: email }
  const isReset = await store.changeSecondFactors({ organizationId, actor }, id, (before) => {
    if (!isEnrolled(before)) return undefined
    return {
      after: { passkeys: [], used: before.used },
      audits: [{ ...audit, notices: [{ ...notice, kind: 'second-factor-changed' }] }],
      endsSessions: true,
    }
  })
  if (!isReset) throw new CommandError(`${email} has no second factor`)
  return { email }
}
