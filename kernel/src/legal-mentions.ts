/**
 * What the law wants an invoice to say of its issuer, so that none is signed without: organizations
 * tells what is missing, the signer asserts it.
 */

import type { LegalMentions } from '@einvoicing/proto/invoice'

/** In the order in which they are asked for (design.md, section 5). */
export const neededMentions = [
  'name',
  'address',
  'city',
  'ice',
  'if',
  'rc',
  'tp',
] as const satisfies readonly (keyof LegalMentions)[]
