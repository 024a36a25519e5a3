import type { Deps } from '../deps'
import { findEmailError, normaliseEmail } from '../email'

export class CommandError extends Error {
  override readonly name = 'CommandError'
}

export type CommandDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'newId'> & {
  publicUrl: string
  actor: string
  mailer: Pick<Deps['mailer'], 'isOn' | 'prepare'>
}

export interface OneTimeLink {
  email: string
  expiresAt: string
  link: string
}

export function readEmail(typed: string): string {
  const email = normaliseEmail(typed)
  const error = findEmailError(email)
  if (error !== undefined) throw new CommandError(`${typed} is not an email address: it ${error}`)
  return email
}
