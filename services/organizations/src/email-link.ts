/** The token is mailed: a user who has it can read the address. */

import { limits } from '@einvoicing/domain/limits'
import type { Deps } from './deps'
import { createOneTimeToken, digestOneTimeToken } from './one-time-token'
import type { EmailChange, Side } from './store/email-changes'
import type { User } from './store/store'

export type EmailLinkDeps = Pick<Deps, 'store' | 'now' | 'randomBytes'>

export async function offerEmailLink(
  { store, now, randomBytes }: EmailLinkDeps,
  { id: userId, organizationId, email }: User,
): Promise<string> {
  const token = createOneTimeToken({ randomBytes })
  const at = now()
  const expiresAt = new Date(at.getTime() + limits.emailLinkLifetimeMs).toISOString()
  await store.addEmailLink(
    { digest: digestOneTimeToken(token), organizationId, userId, email, expiresAt },
    {
      at: at.toISOString(),
      actor: 'service:organizations',
      action: 'email.link-offered',
      detail: email,
    },
  )
  return token
}

/** `undefined` when the change is over. */
export async function offerEmailChangeLink(
  { store, now, randomBytes }: EmailLinkDeps,
  { id: changeId, userId, from, to }: EmailChange,
  side: Side,
): Promise<string | undefined> {
  const token = createOneTimeToken({ randomBytes })
  const isAdded = await store.addEmailChangeLink(
    { digest: digestOneTimeToken(token), userId, changeId, side },
    {
      at: now().toISOString(),
      actor: 'service:organizations',
      action: 'email.link-offered',
      detail: side === 'old' ? from : to,
    },
  )
  return isAdded ? token : undefined
}

/** After the `#`, so that no server logs the token. */
export function toEmailLink(publicUrl: string, token: string): string {
  return `${publicUrl}/dashboard/verify#token=${token}`
}
