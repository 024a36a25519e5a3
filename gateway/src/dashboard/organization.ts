import { mentionForms, mentionNames, type LegalMention } from '@einvoicing/domain/legal-mentions'
import { frozenMentions, unapproved } from '@einvoicing/domain/approval'
import { limits } from '@einvoicing/domain/limits'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { Service } from '@einvoicing/rpc/call'
import { InvoiceStatus, type LegalMentions } from '@einvoicing/proto/invoice'
import type { InvoicesService } from '@einvoicing/proto/invoices'
import type { Organization, OrganizationsService } from '@einvoicing/proto/organizations'
import type { Response } from 'express'
import { z } from 'zod'
import { readFields } from '../fields/read-fields'
import { filledText, toZodSchema, text, formattedText } from '../fields/rules'
import { sendOk } from '../http/envelope'
import { toEtag, matchesIfMatch } from '../http/etag'
import { createCall } from '../http/exchange'
import type { Handle } from '../http/route-table'
import { textOneOf, uuid } from '../fields/answer-fields'
import { organizationId } from '../invoices/examples'
import type { ApiTable, EnvelopeAnswer, Parameter } from '../routes/api-route'
import { mentionsChanged } from '@einvoicing/domain/account-errors'

export interface OrganizationDeps {
  organizations: Service<OrganizationsService>
  invoices: Service<InvoicesService>
}

function mention(name: LegalMention) {
  const form = mentionForms[name]
  const { mentionLength } = limits
  return toZodSchema<string>(
    form ? formattedText(form, mentionLength) : text(mentionLength),
  ).nullish()
}

const byName = Object.fromEntries(mentionNames.map((name) => [name, mention(name)])) as Record<
  LegalMention,
  ReturnType<typeof mention>
>

const mentions = z.strictObject({
  ...byName,
  // Set at sign-up, and cannot be cleared.
  name: toZodSchema<string>(filledText(limits.mentionLength)).optional(),
} satisfies Record<keyof LegalMentions, z.ZodType>)

const read =
  ({ organizations }: OrganizationDeps): Handle =>
  async (_, response) => {
    sendOrganization(response, await organizations.getOrganization({}, createCall(response)))
  }

/** An absent field is not changed, `null` clears it. Throws `PRECONDITION_FAILED` by `If-Match`. */
const update =
  ({ organizations, invoices }: OrganizationDeps): Handle =>
  async (request, response) => {
    const changes = await readFields(request, response, mentions)
    const ifMatch = request.headers['if-match']
    for (let attempt = 1; ; attempt += 1) {
      try {
        const from = await organizations.getOrganization({}, createCall(response))
        if (!matchesIfMatch(toEtag(from.mentionsTag), ifMatch)) throw mentionsChanged()
        const merged = mergeMentions(from.mentions, changes)
        const replaced = {
          mentions: merged,
          expectedTag: from.mentionsTag,
          hasSigned: isOtherIssuer(from.mentions, merged) && (await hasSigned(invoices, response)),
        }
        const organization = await organizations.replaceLegalMentions(
          replaced,
          createCall(response),
        )
        sendOrganization(response, organization)
        return
      } catch (error) {
        if (!isMentionsChanged(error) || isConditional(ifMatch)) throw error
        // Changed between our read and our write: read again.
        if (attempt === attemptsMax) throw unavailable('The legal details', error)
      }
    }
  }

const attemptsMax = 5

function isOtherIssuer(before: LegalMentions | undefined, after: LegalMentions): boolean {
  return frozenMentions.some((name) => before?.[name] !== after[name].trim())
}

// FAILED first and last: an invoice that is sent again meanwhile goes back to SIGNED.
const signedStatuses = [
  'FAILED',
  'SIGNED',
  'TRANSMITTED',
  'ACCEPTED',
  'REJECTED',
  'FAILED',
] as const

async function hasSigned(invoices: Service<InvoicesService>, response: Response): Promise<boolean> {
  for (const status of signedStatuses) {
    const one = { status: InvoiceStatus[status], page: { page: 0, size: 1 } }
    const query = { ...one, sortBy: 'createdAt', descending: false }
    const { invoices: found } = await invoices.listInvoices(query, createCall(response))
    if (found.length > 0) return true
  }
  return false
}

type MentionChanges = z.infer<typeof mentions>

function mergeMentions(current: LegalMentions | undefined, changes: MentionChanges): LegalMentions {
  const updated = mentionNames.map((name) => {
    const value = changes[name] === undefined ? current?.[name] : changes[name]
    return [name, value ?? ''] as const
  })
  return Object.fromEntries(updated) as Record<LegalMention, string>
}

function isConditional(ifMatch: string | undefined): boolean {
  return ifMatch !== undefined && ifMatch.trim() !== '*'
}

function isMentionsChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'PRECONDITION_FAILED'
}

function sendOrganization(response: Response, organization: Organization): void {
  const headers = { ETag: toEtag(organization.mentionsTag) }
  sendOk(response, presentOrganization(organization), headers)
}

const organizationSchema = z.object({
  ...Object.fromEntries(mentionNames.map((name) => [name, z.string().nullable()])),
  organizationId: uuid,
  missing: z.array(textOneOf(mentionNames)),
  approval: z
    .enum(unapproved)
    .optional()
    .describe(
      'Why the organization cannot sign; absent if it can. If sign-up requires approval, an operator approves it.',
    ),
})

function presentOrganization(organization: Organization): z.infer<typeof organizationSchema> {
  const { organizationId, mentions: stored, missing, approval } = organization
  const presented = Object.fromEntries(mentionNames.map((name) => [name, stored?.[name] || null]))
  const found = unapproved.find((one) => one === approval)
  return { organizationId, ...presented, missing, ...(found && { approval: found }) }
}

const example = {
  name: 'Atelier Nord SARL',
  legalForm: 'SARL',
  capital: '100 000 MAD',
  address: '12, rue des Orangers',
  city: 'Rabat',
  ice: '002791346000039',
  if: '12345678',
  rc: '123456',
  tp: '35791113',
  cnss: null,
  rib: '011780000012345678901296',
  phone: '+212 522 00 00 00',
  email: 'contact@example.com',
}

const answer: EnvelopeAnswer = {
  name: 'Organization',
  schema: organizationSchema,
  headers: ['ETag'],
  examples: {
    complete: { organizationId, ...example, missing: [] },
    incomplete: {
      organizationId,
      ...example,
      rc: null,
      missing: ['rc'],
      approval: 'PENDING',
    },
  },
}

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` you read: the change is applied only if the legal details have not changed since. Without it, or with `*`, the change is applied in any case.',
  schema: {
    type: 'string',
    pattern: '^(\\*|"[!#-~]+")$',
    examples: [`"${'9f86d081884c7d65'.repeat(4)}"`],
  },
}

export const organizationRoutes: ApiTable<OrganizationDeps> = {
  '/organization': {
    GET: {
      handle: read,
      operationId: 'readOrganization',
      summary: 'Read the legal details, and which are missing before you can invoice.',
      description:
        '`missing` lists what is still to be completed. Until it is empty, creating an invoice returns 409 MISSING_LEGAL_MENTIONS; while `approval` is present, 409 ORGANIZATION_NOT_APPROVED. Drafts need neither.',
      answer,
    },
    PUT: {
      handle: update,
      operationId: 'updateLegalMentions',
      summary: 'Change legal details. Omitted ones stay as they are; `null` clears one.',
      description:
        'The name cannot be cleared. The details can be saved incomplete; `missing` lists what you need before you can invoice. After the first signed invoice or the approval, only the operator can change `name` and `ice`.',
      parameters: [ifMatch],
      body: { name: 'LegalMentions', schema: mentions, examples: { mentions: example } },
      answer,
      errors: ['PRECONDITION_FAILED', 'CONFIRMATION_REQUIRED'],
    },
  },
}
