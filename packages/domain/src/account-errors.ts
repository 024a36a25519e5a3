import { ApiError } from './api-error'

/** For security the message does not say which of the two is wrong. */
export function credentialsInvalid(): ApiError {
  return new ApiError('CREDENTIALS_INVALID', 'Incorrect email or password.')
}

export function tooManyAttempts(waitMs: number): ApiError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new ApiError(
    'TOO_MANY_ATTEMPTS',
    `Too many attempts. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  )
}

export function signUpClosed(): ApiError {
  return new ApiError(
    'SIGNUP_CLOSED',
    'Sign-up is disabled on this server: ask its operator for an account.',
  )
}

export function emailTaken(advice = 'Sign in, or use another email.'): ApiError {
  return new ApiError('EMAIL_TAKEN', `A user with this email already exists. ${advice}`)
}

export function sessionOver(): ApiError {
  return new ApiError('SESSION_INVALID', 'Your session has ended. Sign in again.')
}

export function confirmationRequired(): ApiError {
  return new ApiError(
    'CONFIRMATION_REQUIRED',
    'This request needs a recent confirmation of your identity: confirm with your password, a code or a passkey (POST /dashboard/api/session/confirm), then send the request again within ten minutes.',
  )
}

export function secondFactorRequired(): ApiError {
  return new ApiError(
    'SECOND_FACTOR_REQUIRED',
    'Your organization requires a second factor: set up an authenticator app (POST /dashboard/api/totp) or a passkey (POST /dashboard/api/passkeys) first.',
  )
}

export function emailNotVerified(): ApiError {
  return new ApiError(
    'EMAIL_NOT_VERIFIED',
    'Your email address is not verified yet: open the link in the message that was sent to it, or request another (POST /dashboard/api/email/resend). An account that is not verified is removed after 48 hours.',
  )
}

export function organizationSwitched(): ApiError {
  return new ApiError(
    'ORGANIZATION_SWITCHED',
    'The session has switched to an organization other than the one in X-Organization-Id: reload the page, or switch back (POST /dashboard/api/session/organization).',
  )
}

/** One answer for a code that is wrong, already used, or of another account. */
export function secondFactorInvalid(): ApiError {
  return new ApiError('CREDENTIALS_INVALID', 'Incorrect code, recovery code or passkey.')
}

export function passkeyNotFound(): ApiError {
  return new ApiError('PASSKEY_NOT_FOUND', 'You have no passkey with this id.')
}

export function sessionNotFound(): ApiError {
  return new ApiError('SESSION_NOT_FOUND', 'You have no open session with this id.')
}

export function invitationNotFound(): ApiError {
  return new ApiError(
    'INVITATION_NOT_FOUND',
    'This invitation is not valid: it was used, withdrawn, replaced by a newer one, or is more than seven days old. Ask the person who invited you for a new one.',
  )
}

export function memberNotFound(): ApiError {
  return new ApiError(
    'MEMBER_NOT_FOUND',
    'No member or invitation with this id exists in your organization.',
  )
}

export function lastOwner(): ApiError {
  return new ApiError(
    'LAST_OWNER',
    'This is the only OWNER of your organization: make another member OWNER first.',
  )
}

export function mentionsChanged(): ApiError {
  return new ApiError(
    'PRECONDITION_FAILED',
    'The legal details have changed since you read them. Read them again, apply your change, and send it with their new ETag.',
  )
}
