/**
 * The mentions a Moroccan invoice must bear about who issues it: which are needed, and what each
 * must look like.
 *
 * They may be saved incomplete, so that a form can be filled in twice; then no invoice is made
 * (`missingMentions`).
 */

import { neededMentions } from '@einvoicing/kernel/legal-mentions'
import { limits } from '@einvoicing/kernel/limits'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import { isEmail } from './email'
import {
  atMost,
  firstFault,
  given,
  ifGiven,
  matching,
  printable,
  refuseFaults,
  type TextRule,
} from './text-rules'

export type MentionName = keyof LegalMentions

const registration = matching(
  /^[\p{L}\p{N}/. -]+$/u,
  'must contain only letters, digits, spaces and / - .',
)

const ruleByMention = {
  name: given,
  legalForm: () => undefined,
  capital: () => undefined,
  address: () => undefined,
  city: () => undefined,
  ice: ifGiven(matching(/^[0-9]{15}$/, 'must be exactly 15 digits')),
  if: ifGiven(matching(/^[0-9A-Za-z]{1,20}$/, 'must be 1 to 20 digits or letters')),
  rc: ifGiven(registration),
  tp: ifGiven(registration),
  cnss: ifGiven(registration),
  rib: ifGiven(matching(/^[0-9]{24}$/, 'must be exactly 24 digits')),
  phone: () => undefined,
  email: ifGiven(isEmail),
} satisfies Record<MentionName, TextRule>

export const mentionNames = Object.keys(ruleByMention) as MentionName[]

/** No mention given but the name. */
export function mentionsNamed(name: string): LegalMentions {
  return mapMentions((mention) => (mention === 'name' ? name : ''))
}

/** Trimmed; throws `VALIDATION_ERROR` with every mention at fault. */
export function readLegalMentions(typed: LegalMentions): LegalMentions {
  const mentions = mapMentions((mention) => typed[mention].trim())
  refuseFaults(mapMentions((mention) => mentionFault(mention, mentions[mention])))
  return mentions
}

/** What is wrong with one mention, already trimmed. */
export function mentionFault(mention: MentionName, text: string): string | undefined {
  return firstFault(text, [atMost(limits.mentionLength), printable, ruleByMention[mention]])
}

/** The needed mentions that are blank. */
export function missingMentions(mentions: LegalMentions): string[] {
  return neededMentions.filter((mention) => mentions[mention] === '')
}

/** For the audit log: `city: Rabat → Casablanca; rib: (blank) → 0117…`. */
export function describeChange(before: LegalMentions, after: LegalMentions): string {
  const changes = mentionNames
    .filter((mention) => before[mention] !== after[mention])
    .map(
      (mention) => `${mention}: ${before[mention] || '(blank)'} → ${after[mention] || '(blank)'}`,
    )
  return changes.join('; ') || 'Nothing changed.'
}

function mapMentions<T>(valueOf: (mention: MentionName) => T): Record<MentionName, T> {
  return Object.fromEntries(mentionNames.map((name) => [name, valueOf(name)])) as Record<
    MentionName,
    T
  >
}
