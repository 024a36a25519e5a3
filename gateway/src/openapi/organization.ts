/** The paths of what an organization's people manage: its mentions, its keys, its audit log. */

import { apiKeyPrefix } from '@einvoicing/access/api-key'
import { auditRules } from '../dashboard/audit-query'
import { requestedWith } from './accounts'
import {
  operation,
  queryParameters,
  type OperationPlan,
  type Parameter,
  type Paths,
} from './operation'
import { invoiceId, organizationId } from './samples'
import { uuid } from './shapes'

const behindSession = { tag: 'Dashboard', caller: 'session' } as const
const forOwners = ['CSRF_REFUSED', 'FORBIDDEN'] as const
const at = '2026-05-03T09:30:00.000Z'

const mentions = {
  name: 'Atelier Nord SARL',
  legalForm: 'SARL',
  capital: '100 000 MAD',
  address: '12, rue des Orangers',
  city: 'Rabat',
  ice: '001523467000017',
  if: '12345678',
  rc: '123456',
  tp: '35791113',
  cnss: null,
  rib: '011780000012345678901296',
  phone: '+212 522 00 00 00',
  email: 'contact@example.com',
}

const organization: OperationPlan['answer'] = {
  data: 'Organization',
  headers: ['ETag'],
  examples: {
    complete: { organizationId, ...mentions, missing: [] },
    incomplete: { organizationId, ...mentions, rc: null, missing: ['rc'] },
  },
}

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the answer that was read: the change is made only if nobody changed the mentions since. Without it, or with `*`, the change is made on whatever they are.',
  schema: {
    type: 'string',
    pattern: '^(\\*|"[!#-~]+")$',
    examples: [`"${'9f86d081884c7d65'.repeat(4)}"`],
  },
}

const key = {
  id: '5d2f7c1a-90b3-4f6e-8a7d-1c2b3a4d5e6f',
  name: 'ERP',
  last4: 'x7Qz',
  createdAt: at,
}
const apiKeyId = { name: 'id', in: 'path', required: true, schema: uuid } as const

export const organizationPaths: Paths = {
  '/dashboard/api/organization': {
    get: operation({
      ...behindSession,
      id: 'readOrganization',
      summary: 'The legal mentions, and which are missing before one may invoice.',
      description:
        '`missing` names what is still to be completed; while it is not empty, creation answers 409 MISSING_LEGAL_MENTIONS.',
      answer: organization,
    }),
    put: operation({
      ...behindSession,
      id: 'updateLegalMentions',
      summary: 'Change legal mentions; one left out stays as it is, `null` clears it.',
      description:
        'The name cannot be cleared. They may be saved incomplete; `missing` says what is still wanted before one may invoice.',
      parameters: [requestedWith, ifMatch],
      body: { schema: 'LegalMentions', examples: { mentions } },
      answer: organization,
      refusals: [...forOwners, 'PRECONDITION_FAILED'],
    }),
  },
  '/dashboard/api/api-keys': {
    get: operation({
      ...behindSession,
      id: 'listApiKeys',
      summary: 'The API keys, without their secret.',
      description:
        'Those in use first, the newest first; revoked ones too. `last4` tells them apart.',
      answer: {
        data: 'ApiKeys',
        examples: { keys: { content: [{ ...key, lastUsedAt: at, revokedAt: null }] } },
      },
    }),
    post: operation({
      ...behindSession,
      id: 'createApiKey',
      summary: 'Make an API key; shown whole this once.',
      description:
        'Only its digest is kept: nobody can show it again. To replace a key, make the new one, deploy it, then revoke the old.',
      parameters: [requestedWith],
      body: { schema: 'NewApiKey', examples: { key: { name: key.name } } },
      answer: {
        status: 201,
        data: 'NewApiKeyWithSecret',
        examples: { key: { ...key, key: `${apiKeyPrefix}…` } },
        links: ['revokeApiKey'],
      },
      refusals: forOwners,
    }),
  },
  '/dashboard/api/api-keys/{id}': {
    delete: operation({
      ...behindSession,
      id: 'revokeApiKey',
      summary: 'Revoke an API key, from the very next request on.',
      description:
        'Its requests are answered 401 API_KEY_INVALID, as those of a key that never was. It stays in the list, and cannot be revived.',
      parameters: [apiKeyId, requestedWith],
      answer: {
        data: 'ApiKey',
        examples: { revoked: { ...key, lastUsedAt: at, revokedAt: at } },
      },
      refusals: [...forOwners, 'API_KEY_NOT_FOUND'],
    }),
  },
  '/dashboard/api/audit': {
    get: operation({
      ...behindSession,
      id: 'readAudit',
      summary: 'Who did what, newest first; no further back than the newest 10,000.',
      description:
        'Every transition of an invoice and every change to mentions and keys, by whom and when.',
      parameters: queryParameters(auditRules),
      answer: { data: 'AuditPage', examples: { page: auditPage() } },
      refusals: ['VALIDATION_ERROR'],
    }),
  },
}

function auditPage() {
  const entry = { at, actor: `api-key:${key.id}`, action: 'invoice.created', invoiceId }
  const content = [{ ...entry, from: null, to: 'SIGNED', detail: null }]
  return { content, page: 0, size: 20, totalElements: 1, totalPages: 1, first: true, last: true }
}
