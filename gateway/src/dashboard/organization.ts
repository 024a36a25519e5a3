/** The organization's legal mentions, as its people read and write them (design.md, section 6). */

import { mentionForms } from '@einvoicing/domain/legal-mentions'
import { limits } from '@einvoicing/domain/limits'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { Organization, OrganizationsService } from '@einvoicing/proto/organizations'
import type { Response } from 'express'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema, text, formattedText } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { toEtag, matchesIfMatch } from '../http/etag'
import { createCall } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'

export function organizationRoutes(organizations: Service<OrganizationsService>): RouteTable {
  return { '/organization': { GET: read(organizations), PUT: update(organizations) } }
}

function mention(name: keyof LegalMentions) {
  const form = mentionForms[name]
  const { mentionLength } = limits
  return toZodSchema<string>(
    form ? formattedText(form, mentionLength) : text(mentionLength),
  ).nullish()
}

export const mentions = z.strictObject({
  // An organization has one from the start, and it cannot be cleared.
  name: toZodSchema<string>(filledText(limits.mentionLength)).optional(),
  legalForm: mention('legalForm'),
  capital: mention('capital'),
  address: mention('address'),
  city: mention('city'),
  ice: mention('ice'),
  if: mention('if'),
  rc: mention('rc'),
  tp: mention('tp'),
  cnss: mention('cnss'),
  rib: mention('rib'),
  phone: mention('phone'),
  email: mention('email'),
} satisfies Record<keyof LegalMentions, z.ZodType>)

const mentionNames = Object.keys(mentions.shape) as (keyof LegalMentions)[]

const read =
  (organizations: Service<OrganizationsService>): Handle =>
  async (_, response) => {
    sendOrganization(response, await organizations.getOrganization({}, createCall(response)))
  }

/**
 * As with an invoice, one left out stays as it is, and `null` clears it. Throws `PRECONDITION_FAILED`
 * where the mentions are not those that `If-Match` names.
 */
const update =
  (organizations: Service<OrganizationsService>): Handle =>
  async (request, response) => {
    const given = await readFields(request, response, mentions)
    const ifMatch = request.headers['if-match']
    for (let attempt = 1; ; attempt += 1) {
      try {
        const from = await organizations.getOrganization({}, createCall(response))
        if (!matchesIfMatch(toEtag(from.mentionsTag), ifMatch)) throw createMentionsChanged()
        const replaced = {
          mentions: mergeMentions(from.mentions, given),
          expectedTag: from.mentionsTag,
        }
        const organization = await organizations.replaceLegalMentions(
          replaced,
          createCall(response),
        )
        sendOrganization(response, organization)
        return
      } catch (error) {
        if (!isMentionsChanged(error) || isConditional(ifMatch)) throw error
        // Changed between our reading and our writing: what was left out is read again.
        if (attempt === attemptsMax) throw unavailable('The legal mentions', error)
      }
    }
  }

const attemptsMax = 5

type Given = z.infer<typeof mentions>

function mergeMentions(kept: LegalMentions | undefined, given: Given): LegalMentions {
  const updated = mentionNames.map((name) => {
    const value = given[name] === undefined ? kept?.[name] : given[name]
    return [name, value ?? ''] as const
  })
  return Object.fromEntries(updated) as Record<keyof LegalMentions, string>
}

function isConditional(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && ifMatch.trim() !== '*'
}

function isMentionsChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'PRECONDITION_FAILED'
}

function createMentionsChanged(): ApiError {
  return new ApiError(
    'PRECONDITION_FAILED',
    'The legal mentions were changed since you read them. Read them again, apply your change to them, and send it with their new ETag.',
  )
}

function sendOrganization(response: Response, organization: Organization): void {
  const headers = { ETag: toEtag(organization.mentionsTag) }
  sendOk(response, presentOrganization(organization), headers)
}

export function presentOrganization({ organizationId, mentions: kept, missing }: Organization) {
  const shown = Object.fromEntries(mentionNames.map((name) => [name, kept?.[name] || null]))
  return { organizationId, ...shown, missing }
}
