/** Email addresses: how they are compared, and which are taken for one. */

import { emailForm } from '@einvoicing/domain/email'
import { limits } from '@einvoicing/domain/limits'
import { atMost, firstFault, given, ofForm } from './text-rules'

const isEmail = ofForm(emailForm)

/** Letter case never tells two people apart. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase()
}

export function emailFault(normalised: string): string | undefined {
  return firstFault(normalised, [given, atMost(limits.emailLength), isEmail])
}
