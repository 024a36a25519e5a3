/** Every operation behind a session, for every role: a table that a new one must enter. */

import { mayDo, roles, type Role } from '@einvoicing/domain/role'
import { openApiDocument } from '../openapi/document'
import type { Gateway } from '../service'
import { fetchFrom, openForTest } from '../testdata/open-gateway'
import { organizationId, smallOrganizations } from '../testdata/small-services'

/** The least role that may; whatever only reads is READ_ONLY's. */
const needed: Record<string, Role> = {
  updateLegalMentions: 'OWNER',
  createApiKey: 'OWNER',
  revokeApiKey: 'OWNER',
  rotateApiKey: 'OWNER',
  inviteMember: 'OWNER',
  changeMemberRole: 'OWNER',
  removeMember: 'OWNER',
  sendMemberReset: 'OWNER',
  leaveOrganization: 'READ_ONLY',
  changePassword: 'READ_ONLY',
  changeEmail: 'READ_ONLY',
  cancelEmailChange: 'READ_ONLY',
  confirmSession: 'READ_ONLY',
  switchOrganization: 'READ_ONLY',
  offerPasskeyConfirmation: 'READ_ONLY',
  beginTotp: 'READ_ONLY',
  confirmTotp: 'READ_ONLY',
  removeTotp: 'READ_ONLY',
  renewRecoveryCodes: 'READ_ONLY',
  offerPasskey: 'READ_ONLY',
  addPasskey: 'READ_ONLY',
  renamePasskey: 'READ_ONLY',
  removePasskey: 'READ_ONLY',
  requireSecondFactor: 'OWNER',
  endSession: 'READ_ONLY',
  endOtherSessions: 'READ_ONLY',
  endMemberSessions: 'OWNER',
  'dashboard-createInvoice': 'MEMBER',
  'dashboard-creditInvoice': 'MEMBER',
  'dashboard-previewInvoice': 'MEMBER',
  'dashboard-updateInvoice': 'MEMBER',
  'dashboard-cancelInvoice': 'MEMBER',
  'dashboard-signInvoice': 'MEMBER',
  'dashboard-resubmitInvoice': 'MEMBER',
}

const every = Object.entries(openApiDocument('test').paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { security }]) => security.some((scheme) => 'session' in scheme))
    .map(([method, { operationId: id, responses }]) => ({ id, method, path, responses })),
)

/** A download or a stream has no envelope to look into. */
const isDownload = ({ path }: { path: string }) => /\/(pdf|xml|events|audit\.csv)$/.test(path)
const operations = every.filter((operation) => !isDownload(operation))
const downloads = every.filter(isDownload)

it('every operation that changes something has its row', () => {
  const changing = operations.filter(({ method }) => method !== 'get').map(({ id }) => id)
  expect(changing.sort()).toEqual(Object.keys(needed).sort())
})

describe.each(roles)('%s', (role) => {
  let gateway: Gateway
  let cookie: string
  beforeAll(async () => {
    gateway = await openForTest({}, { organizations: smallOrganizations(role) })
    const { headers } = await call('/dashboard/api/session', 'post', {
      email: 'a@example.com',
      password: 'right password',
    })
    cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  })
  afterAll(() => gateway.close())

  const headers = () => ({
    Authorization: '',
    'X-Requested-With': 'dashboard',
    'Content-Type': 'application/json',
    ...(cookie && { Cookie: cookie }),
  })
  const call = (path: string, method: string, body?: object) =>
    fetchFrom(gateway, path, {
      method: method.toUpperCase(),
      headers: headers(),
      ...(body && { body: JSON.stringify(body) }),
    })

  it.each(downloads)('$id', async ({ method, path }) => {
    expect(method).toBe('get')
    const url = `${gateway.url}${path.replace('{id}', organizationId)}`
    const { status, body } = await fetch(url, { headers: headers() })
    await body?.cancel()
    // Of an invoice that is not there; the role was no reason.
    expect([200, 404]).toContain(status)
  })

  it.each(operations)('$id', async ({ id, method, path, responses }) => {
    const least = needed[id] ?? 'READ_ONLY'
    const url = path.replace('{id}', organizationId)
    const { status, body } = await call(url, method, method === 'get' ? undefined : {})
    if (mayDo(role, least)) expect(body.code).not.toBe('FORBIDDEN')
    else {
      expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
      expect(body.message).toContain(`needs the role ${least}; your role is ${role}`)
      expect(responses['403']?.description).toContain('FORBIDDEN')
    }
  })
})
