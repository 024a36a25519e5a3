import { ApiError } from '@einvoicing/domain/api-error'
import { createValidationError } from '@einvoicing/domain/validation-error'
import type { Call } from '@einvoicing/rpc/call'
import type { VerifyEmailRequest } from '@einvoicing/proto/organizations'
import { authenticateMember } from './authenticate-member'
import type { Deps } from './deps'
import { provePassword } from './prove-password'
import type { User } from './store/store'

export type AccountProof = Pick<VerifyEmailRequest, 'session' | 'password' | 'clientAddress'> &
  Pick<Call, 'requestId'>

/** Throws `VALIDATION_ERROR` for the password, `TOO_MANY_ATTEMPTS`. */
export async function proveAccount(
  deps: Deps,
  { session, password = '', clientAddress, requestId }: AccountProof,
  user: User,
): Promise<void> {
  if (session?.userId === user.id && (await isOpen(deps, session))) return
  if (password === '')
    throw passwordWrong('is needed: this browser is not signed in to the account')
  const claim = { email: user.email, user, password, clientAddress, requestId }
  await provePassword(deps, claim, () => passwordWrong('is not the password of this account'))
}

async function isOpen(deps: Deps, session: NonNullable<AccountProof['session']>): Promise<boolean> {
  try {
    await authenticateMember(deps, { ...session, verifying: true, enrolling: true })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'SESSION_INVALID') return false
    throw error
  }
}

function passwordWrong(message: string): ApiError {
  return createValidationError([{ field: 'password', message }])
}
