/**
 * The public contract as an OpenAPI 3.1 document: made of the rules that validate and the
 * presenters that answer, so that it cannot say anything else.
 *
 * Not told: 404 NOT_FOUND for other paths, 405 METHOD_NOT_ALLOWED for other methods; HEAD comes
 * with every GET.
 */

import { apiKeyPrefix } from '@einvoicing/access/api-key'
import { newAccount, credentials } from '../dashboard/accounts'
import { newApiKey } from '../dashboard/api-keys'
import { invitationAccepted, invitationHeld, passwordReset } from '../dashboard/invitation'
import { memberChange, newMember } from '../dashboard/members'
import { mentions, type presentOrganization } from '../dashboard/organization'
import { passwordChange } from '../dashboard/password'
import { toJsonSchema, type JsonSchema } from '../fields/json-schema'
import { invoiceChanges, newInvoice } from '../invoices/invoice-schema'
import { accountPaths } from './accounts'
import { artefactPaths } from './artefacts'
import { auditCsvPaths } from './audit-csv'
import { eventPaths } from './events'
import { invoicePaths, type Reader } from './invoices'
import { memberPaths } from './members'
import type { Paths } from './operation'
import { organizationPaths } from './organization'
import { overviewPaths } from './overview'
import { fieldFaultSchema, refusalExamples, refusalSchema } from './errors'
import { headers } from './responses'
import { answerSchemas, objectOf, uuid } from './shapes'
import { timelinePaths } from './timeline'

const byKey: Reader = { base: '/v1/invoices', caller: 'key', idPrefix: '' }
const bySession: Reader = {
  base: '/dashboard/api/invoices',
  caller: 'session',
  idPrefix: 'dashboard-',
}

export interface OpenApiDocument {
  openapi: string
  info: object
  externalDocs: object
  servers: object[]
  tags: object[]
  paths: Paths
  components: { schemas: Record<string, JsonSchema> } & Record<string, object>
}

/** Built once, at start. */
export function openApiDocument(): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Electronic Invoicing Service',
      version: 'v1',
      description: [
        'Sales invoices as JSON; totalled, written as UBL 2.1 and signed with XAdES before the answer, cleared with the tax authority after it.',
        'Every answer but a download has one envelope: `code`, `message`, `data`, `errors`.',
        'A path that does not exist answers 404 NOT_FOUND, a method that a path does not take 405 METHOD_NOT_ALLOWED with `Allow`; every code with its cause and cure is in the [guide](/docs/guide/errors).',
        'Lengths are counted in Unicode characters. Bodies may be gzip, deflate or br, and 2 MiB once decoded.',
      ].join('\n\n'),
    },
    externalDocs: { description: 'Guide', url: '/docs/guide' },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Invoices', description: 'Creation, clearance and correction.' },
      { name: 'Artefacts', description: 'Downloads, kept for ten years.' },
      { name: 'Dashboard', description: 'For people, by session.' },
    ],
    paths: {
      ...invoicePaths(byKey),
      ...artefactPaths(byKey),
      ...accountPaths,
      ...organizationPaths,
      ...memberPaths,
      ...invoicePaths(bySession),
      ...artefactPaths(bySession),
      ...timelinePaths,
      ...eventPaths,
      ...overviewPaths,
      ...auditCsvPaths,
    },
    components: {
      schemas: { ...bodySchemas(), ...answerSchemas, ...sharedSchemas() },
      examples: refusalExamples,
      headers,
      securitySchemes,
    },
  }
}

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${apiKeyPrefix}…`,
    description: 'A secret key of one organization, from the dashboard; for servers only.',
  },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'From POST session.' },
}

function bodySchemas(): Record<string, JsonSchema> {
  return {
    NewInvoice: toJsonSchema(newInvoice),
    InvoiceChanges: toJsonSchema(invoiceChanges),
    NewAccount: toJsonSchema(newAccount),
    Credentials: toJsonSchema(credentials),
    NewApiKey: toJsonSchema(newApiKey),
    NewMember: toJsonSchema(newMember),
    MemberChange: toJsonSchema(memberChange),
    InvitationHeld: toJsonSchema(invitationHeld),
    InvitationAccepted: toJsonSchema(invitationAccepted),
    PasswordChange: toJsonSchema(passwordChange),
    PasswordReset: toJsonSchema(passwordReset),
    LegalMentions: toJsonSchema(mentions),
  }
}

function sharedSchemas(): Record<string, JsonSchema> {
  const mention = { type: ['string', 'null'] }
  const names = Object.keys(mentions.shape)
  const shown = Object.fromEntries(names.map((name) => [name, mention]))
  const missing = { type: 'array', items: { type: 'string', enum: names } }
  const besides = { organizationId: uuid, missing } satisfies Partial<
    Record<keyof ReturnType<typeof presentOrganization>, JsonSchema>
  >
  return {
    Refusal: refusalSchema,
    FieldFault: fieldFaultSchema,
    Organization: objectOf({ ...shown, ...besides }),
  }
}
