/** Email addresses: how they are compared, and which are taken for one. */

import { limits } from '@einvoicing/kernel/limits'
import { atMost, firstFault, given, matching } from './text-rules'

// What browsers accept in `<input type="email">` (HTML, section 4.10.5.1.5), with at least one dot
// in the domain.
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const email = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${label}(?:\\.${label})+$`)

export const isEmail = matching(email, 'must be an email address, like name@example.com')

/** Letter case never tells two people apart. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase()
}

export function emailFault(normalised: string): string | undefined {
  return firstFault(normalised, [given, atMost(limits.emailLength), isEmail])
}
