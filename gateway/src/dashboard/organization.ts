/** The organization's legal mentions, as its people read and write them (design.md, section 6). */

import { mentionForms } from '@einvoicing/kernel/legal-mentions'
import { limits } from '@einvoicing/kernel/limits'
import type { Service } from '@einvoicing/kernel/rpc'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { Organization, OrganizationsService } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, ruled, text, textOf } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { callFor } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'

export function organizationRoutes(organizations: Service<OrganizationsService>): RouteTable {
  return { '/organization': { GET: read(organizations), PUT: update(organizations) } }
}

function mention(name: keyof LegalMentions) {
  const form = mentionForms[name]
  const { mentionLength } = limits
  return ruled<string>(form ? textOf(form, mentionLength) : text(mentionLength)).nullish()
}

export const mentions = z.strictObject({
  // An organization has one from the start, and it cannot be cleared.
  name: ruled<string>(filledText(limits.mentionLength)).optional(),
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
    sendOk(
      response,
      presentOrganization(await organizations.getOrganization({}, callFor(response))),
    )
  }

/** As with an invoice, one left out stays as it is, and `null` clears it. */
const update =
  (organizations: Service<OrganizationsService>): Handle =>
  async (request, response) => {
    const given = await readFields(request, response, mentions)
    const { mentions: kept } = await organizations.getOrganization({}, callFor(response))
    const updated = mentionNames.map((name) => {
      const value = given[name] === undefined ? kept?.[name] : given[name]
      return [name, value ?? ''] as const
    })
    const organization = await organizations.updateLegalMentions(
      Object.fromEntries(updated) as Record<keyof LegalMentions, string>,
      callFor(response),
    )
    sendOk(response, presentOrganization(organization))
  }

export function presentOrganization({ organizationId, mentions: kept, missing }: Organization) {
  const shown = Object.fromEntries(mentionNames.map((name) => [name, kept?.[name] || null]))
  return { organizationId, ...shown, missing }
}
