/** What a Moroccan invoice must state about its issuer. Incomplete mentions can be saved. */

import { createHash } from 'node:crypto'
import {
  mentionForms,
  mentionNames,
  neededMentions,
  type LegalMention,
} from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { hasVisibleText } from '@einvoicing/domain/visible-text'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import {
  atMost,
  findFirstError,
  notBlank,
  optional,
  ofForm,
  printable,
  checkFieldErrors,
} from './text-rules'

export function mentionsNamed(name: string): LegalMentions {
  return mapMentions((mention) => (mention === 'name' ? name : ''))
}

/** Trimmed; throws `VALIDATION_ERROR` with every invalid mention. */
export function readLegalMentions(typed: LegalMentions): LegalMentions {
  const mentions = mapMentions((mention) => readText(typed[mention]))
  checkFieldErrors(mapMentions((mention) => findMentionError(mention, mentions[mention])))
  return mentions
}

export function findMentionError(mention: LegalMention, text: string): string | undefined {
  const form = mentionForms[mention]
  const formed = mention === 'name' ? notBlank : form && optional(ofForm(form))
  const rules = [atMost(limits.mentionLength), printable, formed]
  return findFirstError(
    text,
    rules.filter((rule) => rule !== undefined),
  )
}

export function missingMentions(mentions: LegalMentions): string[] {
  return neededMentions.filter((mention) => readText(mentions[mention]) === '')
}

const readText = (text: string) => (hasVisibleText(text) ? text.trim() : '')

export function mentionsTag(mentions: LegalMentions): string {
  const texts = mentionNames.map((name) => mentions[name])
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** For the audit log: `city: Rabat → Casablanca; rib: (blank) → 0117…`. */
export function describeMentionsChange(before: LegalMentions, after: LegalMentions): string {
  const changes = mentionNames
    .filter((mention) => before[mention] !== after[mention])
    .map(
      (mention) => `${mention}: ${before[mention] || '(blank)'} → ${after[mention] || '(blank)'}`,
    )
  return changes.join('; ') || 'Nothing changed.'
}

function mapMentions<T>(valueOf: (mention: LegalMention) => T): Record<LegalMention, T> {
  return Object.fromEntries(mentionNames.map((name) => [name, valueOf(name)])) as Record<
    LegalMention,
    T
  >
}
