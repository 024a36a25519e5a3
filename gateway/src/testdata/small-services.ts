/**
 * The three services the gateway calls, small enough to read: one organization, its key, and a map
 * of invoices.
 *
 * They stand in where HTTP itself is tested; the whole is tested against the real ones in
 * `test/e2e`.
 */

import { createHash } from 'node:crypto'
import { apiKeyInvalid, toApiKey, digestApiKey } from '@einvoicing/access/api-key'
import { callerOrganization } from '@einvoicing/rpc/caller'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Role } from '@einvoicing/domain/role'
import type { Call, Service } from '@einvoicing/rpc/call'
import type { Artefact, ArtefactsService } from '@einvoicing/proto/artefacts'
import {
  InvoiceStatus,
  type AuditPage,
  type Invoice,
  type LegalMentions,
} from '@einvoicing/proto/invoice'
import type { CreateInvoiceRequest, InvoicesService } from '@einvoicing/proto/invoices'
import type { Identity, OrganizationsService } from '@einvoicing/proto/organizations'

export const apiKey = toApiKey('a'.repeat(43))
export const organizationId = '11111111-1111-4111-8111-111111111111'

export const mentions: LegalMentions = {
  name: 'Atlas Conseil',
  legalForm: '',
  capital: '',
  address: '12 rue des Orangers',
  city: 'Rabat',
  ice: '001234567000089',
  if: '1234567',
  rc: '4567',
  tp: '8901',
  cnss: '',
  rib: '',
  phone: '',
  email: '',
}

const noAudit: AuditPage = { entries: [], total: 0 }
const done = () => Promise.resolve({})
const well = () => Promise.resolve({ dependencies: [] })

const sessionId = '33333333-3333-4333-8333-333333333333'
export const userId = '22222222-2222-4222-8222-222222222222'

function secondFactors(identity: Identity) {
  const passkey = { id: sessionId, name: 'Phone', createdAt: '2026-01-01T00:00:00Z' }
  const options = { options: '{"challenge":"a-challenge"}' }
  const codes = { codes: ['7k2mq-9xw4t'] }
  return {
    completeSignIn: async () => identity,
    offerPasskeySignIn: async () => options,
    signInWithPasskey: async () => identity,
    offerPasskeyConfirmation: async () => options,
    getSecondFactors: async () => ({
      totp: true,
      passkeys: [passkey],
      recoveryCodesLeft: 10,
      required: false,
    }),
    beginTotp: async () => ({ secret: 'GW3IBG5L', otpauthUri: 'otpauth://totp/a?secret=GW3IBG5L' }),
    confirmTotp: async () => codes,
    removeTotp: done,
    renewRecoveryCodes: async () => codes,
    offerPasskey: async () => options,
    addPasskey: async () => ({ passkey, recoveryCodes: codes.codes }),
    renamePasskey: async () => passkey,
    removePasskey: done,
    requireSecondFactor: async ({ required }) => ({ required }),
  } satisfies Partial<Service<OrganizationsService>>
}

/** Its one member has `role`. */
export function smallOrganizations(role: Role = 'OWNER'): Service<OrganizationsService> {
  const who = { organizationId, organizationName: mentions.name, userId, email: 'a@example.com' }
  const sessionExpiresAt = new Date(Date.now() + 43_200_000).toISOString()
  const opened = { passwordVersion: 3, sessionId, sessionExpiresAt, secondFactors: [] }
  const memberships = [{ organizationId, organizationName: mentions.name, role }]
  const identity = { ...who, role, ...opened, secondFactorMissing: false, memberships }
  const mentionsTag = sha256(Buffer.from(''))
  const organization = { organizationId, mentions, missing: [], mentionsTag }
  let isOver = false
  const owner = { id: userId, email: who.email, role, createdAt: '2026-01-01T00:00:00Z' }
  const invited = {
    id: organizationId,
    email: 'b@example.com',
    role: 'MEMBER',
    createdAt: '2026-01-02T00:00:00Z',
    invitationExpiresAt: '2026-01-09T00:00:00Z',
  } as const
  const anyUse = { scopes: [], allowedNetworks: [] }
  const named = { id: organizationId, name: 'first', last4: 'aaaa' }
  const key = { ...named, ...anyUse, createdAt: '2026-01-01T00:00:00Z' }
  const authentication = { organizationId, apiKeyId: 'key-1', mentions, missing: [], ...anyUse }
  const isKey = (keySha256: Buffer) => digestApiKey(apiKey).equals(keySha256)
  const { code, message } = apiKeyInvalid()
  const error = { code, message, retryAfterSeconds: undefined }
  return {
    authenticate: async ({ keySha256 }) => {
      if (!isKey(keySha256)) throw apiKeyInvalid()
      return authentication
    },
    authenticateKeys: async ({ keysSha256 }) => ({
      answers: keysSha256.map((keySha256) =>
        isKey(keySha256)
          ? { authentication, error: undefined }
          : { authentication: undefined, error },
      ),
    }),
    signUp: async () => identity,
    signIn: async ({ password }) => {
      if (password === 'right password') return identity
      throw new ApiError('CREDENTIALS_INVALID', 'Wrong email or password.')
    },
    authenticateMember: async (request) => {
      if (!isOver && request.userId === userId && request.passwordVersion === 3) {
        const who = { email: identity.email, role, mentions, missing: [] }
        return { ...who, secondFactorMissing: false }
      }
      throw new ApiError('SESSION_INVALID', 'Your session has ended. Sign in again.')
    },
    verifyEmail: async () => ({ email: who.email }),
    requestEmailVerification: async () => ({}),
    getEmail: async () => ({ email: who.email, pending: undefined }),
    changeEmail: async () => ({ email: who.email, pending: undefined }),
    cancelEmailChange: async () => ({ email: who.email, pending: undefined }),
    sendMemberReset: done,
    leaveOrganization: async () => ({ identity }),
    endSession: async () => {
      isOver = true
      return {}
    },
    listSessions: async () => ({
      sessions: [
        {
          id: sessionId,
          createdAt: owner.createdAt,
          lastSeenAt: owner.createdAt,
          network: '192.0.2.1',
          device: 'Browser',
          current: true,
        },
      ],
    }),
    endSessions: async () => ({ count: 1 }),
    endMemberSessions: async () => ({ count: 1 }),
    confirmSession: async () => ({ sessionId: 'another session' }),
    ...secondFactors(identity),
    requestPasswordReset: done,
    resetPassword: done,
    changePassword: async () => identity,
    listMembers: async () => ({ members: [owner, invited] }),
    inviteMember: async (request) => {
      const member = { ...invited, email: request.email, role: request.role }
      return { member, invitationToken: 'a-token' }
    },
    changeMemberRole: async (request) => ({ ...owner, role: request.role }),
    removeMember: done,
    readInvitation: async () => ({ ...identity, expiresAt: invited.invitationExpiresAt }),
    acceptInvitation: async () => identity,
    listMemberships: async () => ({ memberships }),
    switchOrganization: async () => identity,
    getOrganization: async () => organization,
    findIssuers: async () => ({ organizationIds: [] }),
    replaceLegalMentions: async (request) => ({ ...organization, mentions: request.mentions }),
    createApiKey: async ({ name }) => ({ apiKey: { ...key, name }, key: apiKey }),
    rotateApiKey: async () => ({ apiKey: key, key: apiKey }),
    listApiKeys: async () => ({ apiKeys: [key] }),
    revokeApiKey: async () => ({ ...key, revokedAt: '2026-01-02T00:00:00Z' }),
    listOrganizationAudit: async () => ({
      entries: [{ at: '2026-01-01T00:00:00Z', actor: 'user:a@example.com', action: 'api-key.created' }],
      total: 1,
    }),
    checkOrganizations: well,
  }
}

export function smallInvoices(): Service<InvoicesService> {
  const invoices = new Map<string, Invoice>()
  let made = 0
  const find = (invoiceId: string): Invoice => {
    const invoice = invoices.get(invoiceId)
    if (invoice) return invoice
    throw new ApiError('INVOICE_NOT_FOUND', 'No invoice with this id exists in your organization. Find it by its number: GET /v1/invoices?invoiceNumber=…')
  }
  const move = (invoiceId: string, changes: Partial<Invoice>): Invoice => {
    const invoice = { ...find(invoiceId), ...changes }
    invoices.set(invoiceId, invoice)
    return invoice
  }
  const at = '2026-01-31T10:00:00.000Z'
  const toInvoice = (
    id: string,
    { content, draft, issuer }: CreateInvoiceRequest,
    { caller }: Call,
  ): Invoice => {
    if (!content) throw new Error('no content')
    return {
      ...content,
      lines: content.lines.map((line) => ({ ...line, amountHt: 10_000 })),
      id,
      organizationId: callerOrganization(caller),
      status: draft ? 'PENDING' : 'SIGNED',
      issuer: issuer?.mentions,
      amountHt: 10_000,
      amountVat: 2_000,
      amountTtc: 12_000,
      vatSubtotals: [],
      createdAt: at,
      updatedAt: at,
    }
  }
  return {
    createInvoice: async (request, call) => {
      // A defect, asked for: the gateway must not tell its text.
      if (request.content?.invoiceNumber === 'DEFECT') throw new Error('secret detail')
      made += 1
      const id = `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
      invoices.set(id, toInvoice(id, request, call))
      return find(id)
    },
    creditInvoice: async ({ invoiceId, invoiceNumber, draft }) =>
      move(invoiceId, { type: 'CREDIT_NOTE', invoiceNumber, status: draft ? 'PENDING' : 'SIGNED' }),
    previewInvoice: async (request, call) => toInvoice('preview', request, call),
    updateInvoice: async ({ invoiceId, content }) =>
      move(invoiceId, content?.buyerName === undefined ? {} : { buyerName: content.buyerName }),
    checkEditable: async ({ invoiceId }) => {
      const { status } = find(invoiceId)
      if (status === 'PENDING') return {}
      throw new ApiError('INVOICE_NOT_EDITABLE', `This invoice is ${status}.`)
    },
    cancelInvoice: async ({ invoiceId }) => move(invoiceId, { status: 'CANCELLED' }),
    signInvoice: async ({ invoiceId }) => move(invoiceId, { status: 'SIGNED' }),
    resubmitInvoice: async ({ invoiceId }) => move(invoiceId, { status: 'SIGNED' }),
    getInvoice: async ({ invoiceId }) => find(invoiceId),
    readNumbers: async ({ invoiceIds }) => ({
      numbers: invoiceIds.flatMap((invoiceId) => {
        const invoice = invoices.get(invoiceId)
        return invoice ? [{ invoiceId, invoiceNumber: invoice.invoiceNumber }] : []
      }),
    }),
    findSignedInvoice: async () => ({}),
    findInvoice: async () => ({}),
    listInvoices: async () => ({
      invoices: [...invoices.values()].map((invoice) => ({ ...invoice, lines: [] })),
      total: invoices.size,
    }),
    readSignedXml: async ({ invoiceId }) => {
      const xml = Buffer.from(`<Invoice>${find(invoiceId).invoiceNumber}</Invoice>`)
      return { xml, sha256: sha256(xml), neverSent: false }
    },
    listChanges: async ({ since, behind, count }) => {
      const at = new Date().toISOString()
      const changes = [...invoices.values()]
        .map(({ id, ...invoice }) => ({ ...invoice, invoiceId: id }))
        .filter(({ updatedAt, invoiceId }) => updatedAt + invoiceId > since + behind)
      return { changes: since === '' ? [] : changes.slice(0, count), at }
    },
    readOverview: async ({ dayStarts }) => ({
      statuses: Object.values(InvoiceStatus)
        .filter((status) => status !== 'INVOICE_STATUS_UNSPECIFIED')
        .map((status) => ({ status, count: status === 'SIGNED' ? invoices.size : 0 })),
      days: dayStarts.map(() => ({
        invoices: 1,
        creditNotes: 2,
        amounts: [
          { currency: 'JPY', amountTtc: 386 },
          { currency: 'MAD', amountTtc: 12_345 },
          { currency: 'TND', amountTtc: 12_345 },
        ],
      })),
      clearance: { count: 2, medianMs: 812.5, p95Ms: 1_000 },
      rejections: [{ errorCode: 'BUYER_UNKNOWN', count: 1 }],
      certificateNotAfter: new Date(Date.now() + 36 * 3_600_000).toISOString(),
    }),
    listInvoiceAudit: async () => noAudit,
    listAuditOfInvoice: async ({ invoiceId }) => {
      const { createdAt, status } = find(invoiceId)
      const created = { actor: 'api-key:key-1', action: 'invoice.created', to: status }
      return { entries: [{ at: createdAt, invoiceId, ...created }], total: 1 }
    },
    checkInvoices: well,
  }
}

export function smallArtefacts(): Service<ArtefactsService> {
  const artefact = (mediaType: string): Artefact => {
    const content = Buffer.from(mediaType)
    return { content, mediaType, sha256: sha256(content) }
  }
  return {
    keepSignedXml: done,
    keepFinalArtefacts: done,
    readKeptXml: async () => artefact('application/xml'),
    listKeptXml: async () => ({ kept: [] }),
    readTrust: async () => ({ signers: undefined, timeStamps: undefined }),
    readPdf: async () => artefact('application/pdf'),
    drawPreview: async () => artefact('application/pdf'),
    keepAuditCheckpoint: async () => ({}),
    timeStampDigest: async () => ({}),
    timeStampSignature: async () => ({}),
    addEvidence: async () => ({}),
    readEvidence: async () => artefact('application/xml'),
    readQr: async () => {
      throw new ApiError('ARTEFACT_NOT_AVAILABLE', 'The QR code exists once the invoice is ACCEPTED.')
    },
    checkArtefacts: well,
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
