import { clientNetwork } from '@einvoicing/access/client-network'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { VerifiedEmail, VerifyEmailRequest } from '@einvoicing/proto/organizations'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import { prepareNotices, type NoticeDeps } from './notices'
import { proveAccount } from './prove-account'
import type { Writer } from './store/store'

interface Presented {
  digest: Buffer
  tokenWasRight: () => Promise<void>
  requestId: string
}

/** `undefined` for an unknown or used token. Throws `VALIDATION_ERROR`. */
export async function confirmEmailChange(
  deps: Deps,
  request: VerifyEmailRequest,
  { digest, tokenWasRight, requestId }: Presented,
): Promise<VerifiedEmail | undefined> {
  const { store, mailer, now } = deps
  const found = await store.findEmailChangeLink(digest)
  if (!found || found.change.expiresAt <= now().toISOString()) return undefined
  await tokenWasRight()
  await proveAccount(deps, { ...request, requestId }, found.user)
  const { change, side } = found
  const { organizationId, from, to } = change
  const [email, remaining] = side === 'old' ? [from, to] : [to, from]
  const by = {
    organizationId,
    actor: `user:${from}`,
    network: clientNetwork(request.clientAddress),
  }
  const outcome = await store.confirmEmailChange(digest, {
    confirmed: toAuditRecord(deps, by, { action: 'email.change-confirmed', detail: email }),
    changed: toAuditRecord(deps, by, await describeEmailChange(deps, by, { from, to })),
  })
  if (outcome === 'email-taken') throw takenSince()
  if (outcome === 'changed') {
    mailer.wake()
    return { email: to, changed: true }
  }
  return outcome && { email, remaining }
}

export async function describeEmailChange(
  deps: NoticeDeps,
  { organizationId, network, device }: Writer,
  { from, to }: { from: string; to: string },
) {
  const concerned = { organizationId, to: [from, to], network, device, about: { from, to } }
  const notices = await prepareNotices(deps, 'email-changed', concerned)
  return { action: 'email.changed', detail: `${from} → ${to}`, notices }
}

function takenSince() {
  const message =
    'cannot be used: the new address has an account now; choose another one in My account'
  return createValidationError([{ field: 'email', message }])
}
