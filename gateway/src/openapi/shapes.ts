/**
 * What answers hold, field by field: a field that is presented and not told here does not compile.
 */

import { currencies } from '@einvoicing/domain/currency'
import { invoiceStatuses } from '@einvoicing/domain/invoice-status'
import { roles } from '@einvoicing/domain/role'
import { paymentMethods } from '@einvoicing/profile/payment-methods'
import { vatRates } from '@einvoicing/profile/vat'
import type { AuditEntry } from '@einvoicing/proto/invoice'
import type { presentApiKey } from '../dashboard/api-keys'
import type { presentIdentity } from '../dashboard/accounts'
import type { presentEntry } from '../dashboard/audit'
import type { presentChange } from '../dashboard/events'
import type { presentInvitation } from '../dashboard/invitation'
import type { presentMember } from '../dashboard/members'
import type { presentOverview } from '../dashboard/overview'
import type { JsonSchema } from '../fields/json-schema'
import type {
  presentCreated,
  presentInvoice,
  presentPage,
  presentStatus,
} from '../invoices/present'

type Shape<T> = Record<keyof T, JsonSchema>

export const uuid = { type: 'string', format: 'uuid' }
const string = { type: 'string' }
const amount = { type: 'number', minimum: 0 }
const date = { type: 'string', format: 'date' }
const time = { type: 'string', format: 'date-time' }
const count = { type: 'integer', minimum: 0 }

const orNull = (schema: { type: string } & JsonSchema, description?: string): JsonSchema => ({
  ...schema,
  type: [schema.type, 'null'],
  ...(description !== undefined && { description }),
})

/** Every property is always there. */
export function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

type Line = ReturnType<typeof presentInvoice>['lines'][number]

const line = {
  lineNumber: { type: 'integer' },
  description: string,
  quantity: { type: 'number' },
  unitPrice: amount,
  vatRate: { type: 'integer', enum: vatRates },
  unit: orNull(string),
  vatExemptionReason: orNull(string),
  amountHt: { ...amount, description: 'quantity × unitPrice, rounded half up to the minor unit.' },
} satisfies Shape<Line>

const created = {
  id: uuid,
  organizationId: uuid,
  invoiceNumber: string,
  status: { type: 'string', enum: invoiceStatuses },
  issuerIce: string,
  issuerName: string,
  buyerIce: orNull(string),
  buyerName: orNull(string),
  buyerAddress: orNull(string),
  currency: { type: 'string', enum: currencies },
  paymentMethod: { type: 'string', enum: paymentMethods },
  amountHt: { ...amount, description: 'Total excluding VAT, computed.' },
  amountVat: { ...amount, description: 'Total VAT, computed.' },
  amountTtc: { ...amount, description: 'Total including VAT, computed.' },
  invoiceDate: date,
  dueDate: orNull(date),
  dgiReference: orNull(string, 'Clearance reference; null until ACCEPTED.'),
  dgiQrCode: orNull(string, 'The text inside the QR image; null until ACCEPTED.'),
  createdAt: time,
  updatedAt: time,
  lines: { type: 'array', items: objectOf(line) },
} satisfies Shape<ReturnType<typeof presentCreated>>

const status = {
  id: uuid,
  status: created.status,
  dgiReference: created.dgiReference,
  dgiQrPayload: orNull(string, "The platform's signed payload."),
  dgiSubmittedAt: orNull(time),
  dgiValidatedAt: orNull(time),
  dgiRejectedAt: orNull(time),
  dgiErrorCode: orNull(string, 'Why it was REJECTED, or FAILED.'),
  dgiErrorMessage: orNull(string),
} satisfies Shape<ReturnType<typeof presentStatus>>

const invoice = { ...created, ...status } satisfies Shape<ReturnType<typeof presentInvoice>>
const { lines: _lines, dgiQrPayload: _payload, ...listed } = invoice

const page = (content: JsonSchema): JsonSchema =>
  objectOf({
    content: { type: 'array', items: content },
    page: count,
    size: { type: 'integer', minimum: 1 },
    totalElements: count,
    totalPages: count,
    first: { type: 'boolean' },
    last: { type: 'boolean' },
  } satisfies Shape<ReturnType<typeof presentPage>>)

const apiKey = {
  id: uuid,
  name: string,
  last4: string,
  createdAt: time,
  lastUsedAt: orNull(time),
  revokedAt: orNull(time),
} satisfies Shape<ReturnType<typeof presentApiKey>>

const { lastUsedAt: _used, revokedAt: _revoked, ...newKey } = apiKey
const secret = { type: 'string', description: 'The whole key, this once.' }

const auditEntry = {
  at: time,
  actor: { ...string, examples: ['user:name@example.com', 'service:clearance'] },
  action: { ...string, examples: ['invoice.created'] },
  invoiceId: orNull(uuid),
  from: orNull(string, 'The status before; null at creation.'),
  to: orNull(string, 'The status after; null for what is no transition.'),
  detail: orNull(string),
} satisfies Shape<ReturnType<typeof presentEntry>> & Shape<AuditEntry>

const role = {
  type: 'string',
  enum: roles,
  description: 'READ_ONLY looks; MEMBER invoices too; OWNER may everything.',
}

const identity = {
  organizationId: uuid,
  organizationName: string,
  userId: uuid,
  email: string,
  role,
  expiresAt: { ...time, description: 'When the session is over by its age.' },
} satisfies Shape<ReturnType<typeof presentIdentity>>

const overview = {
  statuses: objectOf(Object.fromEntries(invoiceStatuses.map((name) => [name, count]))),
  days: {
    type: 'array',
    items: objectOf({
      date,
      invoices: count,
      amountTtc: { type: 'object', additionalProperties: amount, description: 'By currency.' },
    }),
  },
  clearance: objectOf({
    count,
    medianMs: orNull({ type: 'number' }),
    p95Ms: orNull({ type: 'number' }),
  }),
  rejections: { type: 'array', items: objectOf({ errorCode: string, count }) },
  certificate: {
    ...objectOf({ notAfter: time, daysLeft: { type: 'integer' } }),
    type: ['object', 'null'],
  },
  currencies: { type: 'array', items: created.currency },
} satisfies Shape<ReturnType<typeof presentOverview>>

/** `data` of an event `invoice`. */
const invoiceChange = {
  invoiceId: uuid,
  invoiceNumber: string,
  status: created.status,
  updatedAt: time,
} satisfies Shape<ReturnType<typeof presentChange>>

const member = {
  id: uuid,
  email: string,
  role,
  status: { type: 'string', enum: ['ACTIVE', 'INVITED'] },
  createdAt: time,
  invitationExpiresAt: orNull(time, 'Null once they joined.'),
  isSelf: { type: 'boolean', description: 'Whether it is who asks.' },
} satisfies Shape<ReturnType<typeof presentMember>>
const invitationToken = {
  type: 'string',
  description: 'To be handed over, this once: we send no mail.',
}

const invitation = {
  organizationName: string,
  email: string,
  role,
  expiresAt: time,
} satisfies Shape<ReturnType<typeof presentInvitation>>

/** `components.schemas`, of answers. */
export const answerSchemas: Record<string, JsonSchema> = {
  CreatedInvoice: objectOf(created),
  Invoice: objectOf(invoice),
  InvoiceStatus: objectOf(status),
  InvoicePage: page(objectOf(listed)),
  Identity: objectOf(identity),
  Member: objectOf(member),
  Members: objectOf({ content: { type: 'array', items: objectOf(member) } }),
  InvitedMember: objectOf({ ...member, invitationToken }),
  Invitation: objectOf(invitation),
  Nothing: { type: 'object', properties: {} },
  ApiKey: objectOf(apiKey),
  NewApiKeyWithSecret: objectOf({ ...newKey, key: secret }),
  ApiKeys: objectOf({ content: { type: 'array', items: objectOf(apiKey) } }),
  AuditPage: page(objectOf(auditEntry)),
  InvoiceChange: objectOf(invoiceChange),
  Overview: objectOf(overview),
  Timeline: objectOf({ content: { type: 'array', items: objectOf(auditEntry) } }),
}
