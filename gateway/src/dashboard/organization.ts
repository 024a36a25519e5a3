/** The organization's legal mentions, as its people read and write them (design.md, section 6). */

import { limits } from '@einvoicing/kernel/limits'
import type { Service } from '@einvoicing/kernel/rpc'
import type { LegalMentions } from '@einvoicing/proto/invoice'
import type { Organization, OrganizationsService } from '@einvoicing/proto/organizations'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { ruled, text } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { callFor } from '../http/exchange'
import type { Handle, RouteTable } from '../http/route-table'

export function organizationRoutes(organizations: Service<OrganizationsService>): RouteTable {
  return { '/organization': { GET: read(organizations), PUT: update(organizations) } }
}

const mention = ruled<string>(text(limits.mentionLength)).nullish()

/** What each must look like is for the organizations service to say; that it is text is ours. */
export const mentions = z.strictObject({
  name: mention,
  legalForm: mention,
  capital: mention,
  address: mention,
  city: mention,
  ice: mention,
  if: mention,
  rc: mention,
  tp: mention,
  cnss: mention,
  rib: mention,
  phone: mention,
  email: mention,
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
