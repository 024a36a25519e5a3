import type { Deps } from '../deps'
import { findEmailError, normaliseEmail } from '../email'

/** What the operator asked for cannot be done; the message says why. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export type CommandDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'newId'> & {
  /** Without a slash at its end. */
  publicUrl: string
}

/** A link to hand over to the user, valid once. */
export interface OneTimeLink {
  email: string
  expiresAt: string
  link: string
}

/** In the audit log. */
export const operator = 'operator'

export function readEmail(typed: string): string {
  const email = normaliseEmail(typed)
  const error = findEmailError(email)
  if (error !== undefined) throw new CommandError(`${typed} is not an email address: it ${error}`)
  return email
}
