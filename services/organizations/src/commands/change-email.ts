import { newEmailChange, prepareLinks } from '../change-email'
import { describeEmailChange } from '../confirm-email-change'
import { prepareNotices } from '../notices'
import type { User } from '../store/store'
import { CommandError, readEmail, type CommandDeps } from './account-command'

/** `pending` until the user opens the link that is mailed to the new address. */
export interface OperatorsChange {
  from: string
  to: string
  pending: boolean
  expiresAt?: string
}

/** For a user who can no longer read the old address: the new one alone confirms the change. */
export async function changeEmailFor(
  deps: CommandDeps & { verifiesEmail: boolean },
  typedFrom: string,
  typedTo: string,
): Promise<OperatorsChange> {
  const { store, actor } = deps
  const [from, to] = [readEmail(typedFrom), readEmail(typedTo)]
  const user = await store.findUser(from)
  if (!user) throw new CommandError(`no user has the email ${from}`)
  if (await store.findUser(to)) throw new CommandError(`${to} already has an account`)
  const { organizationId } = user
  const by = { organizationId, actor }
  if (deps.verifiesEmail) return request(deps, user, to)
  const at = deps.now().toISOString()
  const audit = { at, actor, ...(await describeEmailChange(deps, by, { from, to })) }
  const outcome = await store.changeEmail(by, { userId: user.id, from, to }, audit)
  if (outcome !== 'changed')
    throw new CommandError(`${from} or ${to} was changed in the meantime: run the command again`)
  return { from, to, pending: false }
}

async function request(deps: CommandDeps, user: User, to: string): Promise<OperatorsChange> {
  const { store, actor, now } = deps
  const { email: from, organizationId } = user
  const change = { ...newEmailChange(deps, user, to), confirmed: ['old' as const] }
  const isAdded = await store.addEmailChange({ organizationId, actor }, change, {
    at: now().toISOString(),
    actor,
    action: 'email.change-requested',
    detail: `${from} → ${to}`,
    notices: [
      ...prepareLinks(deps, change, { sides: ['new'], network: '' }),
      ...(await prepareNotice(deps, user, to)),
    ],
  })
  if (!isAdded) throw new CommandError(`${from} was changed in the meantime: run the command again`)
  return { from, to, pending: true, expiresAt: change.expiresAt }
}

/** The user may object to it. */
function prepareNotice(deps: CommandDeps, { email, organizationId }: User, to: string) {
  const concerned = { organizationId, to: [email], about: { from: email, to } }
  return prepareNotices(deps, 'email-change-begun', concerned)
}
