import { offerEmailChangeLink, toEmailLink, type EmailLinkDeps } from '../email-link'
import type { MailValues } from './compose-mail'
import type { DueMail } from './mail'

/** `undefined`: the change was replaced, cancelled, or confirmed by this side. */
export async function readEmailChange(
  deps: EmailLinkDeps,
  { kind, to, network, createdAt: at, about = {} }: DueMail,
  publicUrl: string,
): Promise<MailValues | undefined> {
  const { store, now } = deps
  const side = kind === 'email-change-old' ? 'old' : 'new'
  const change = await store.findEmailChange(about['user'] ?? '')
  if (change?.id !== about['change'] || !change || change.confirmed.includes(side)) return undefined
  if (change.expiresAt <= now().toISOString()) return undefined
  // The requester must not learn whether the address has an account.
  if (side === 'new' && (await store.findUser(to))) return { network, at, about: { taken: 'yes' } }
  const token = await offerEmailChangeLink(deps, change, side)
  return token === undefined
    ? undefined
    : { link: toEmailLink(publicUrl, token), network, at, about }
}
