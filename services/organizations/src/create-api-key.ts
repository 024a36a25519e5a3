import { isNetwork } from '@einvoicing/access/allowed-networks'
import { apiKeyNotFound, digestApiKey } from '@einvoicing/access/api-key'
import { apiKeyScopes } from '@einvoicing/domain/api-key-scopes'
import { ApiError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import type { Call } from '@einvoicing/rpc/call'
import type {
  ApiKey,
  CreateApiKeyRequest,
  CreatedApiKey,
  RotateApiKeyRequest,
} from '@einvoicing/proto/organizations'
import { generateApiKey, digestWithPepper } from './api-key'
import { toAuditRecord } from './audit-record'
import type { Deps } from './deps'
import type { Mail } from './mail/mail'
import { prepareNotices } from './notices'
import { organizationGone } from './organization'
import type { ApiKeyLimits, NewApiKey } from './store/api-key-records'
import type { Writer } from './store/store'
import { atMost, findFirstError, notBlank, printable, checkFieldErrors } from './text-rules'
import { toConfirmedWriter } from './writer'

const { apiKeysPerOrganization, apiKeyNameLength, apiKeyNetworks, apiKeyLifetimeYears } = limits

/** Throws `VALIDATION_ERROR`, also at the limit of live keys. */
export function createApiKey(
  deps: Deps,
  request: CreateApiKeyRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<CreatedApiKey> {
  return addApiKey(deps, request, toConfirmedWriter(deps, caller, 'OWNER'))
}

export async function addApiKey(
  deps: Deps,
  request: CreateApiKeyRequest,
  by: Writer,
): Promise<CreatedApiKey> {
  const name = readName(request.name)
  const keyLimits = readLimits(request, deps.now())
  const { apiKey, key, stored } = await makeKey(deps, by, { name, ...keyLimits })
  const audit = toAuditRecord(deps, by, {
    action: 'api-key.created',
    detail: describeKey(apiKey),
    notices: await noticesOfKey(deps, by, apiKey),
  })
  const added = { key: stored, max: apiKeysPerOrganization }
  const outcome = await deps.store.addApiKey(by, added, audit)
  if (outcome === 'no-organization') throw organizationGone()
  if (outcome === 'too-many') rejectTooManyKeys()
  deps.mailer.wake()
  return { apiKey, key }
}

/** The old key works until the overlap ends. Throws `VALIDATION_ERROR`, `API_KEY_NOT_FOUND`. */
export async function rotateApiKey(
  deps: Deps,
  { apiKeyId, name: typed, overlapSeconds }: RotateApiKeyRequest,
  { caller }: Pick<Call, 'caller'>,
): Promise<CreatedApiKey> {
  const by = toConfirmedWriter(deps, caller, 'OWNER')
  const name = typed === '' ? undefined : readName(typed)
  const now = deps.now()
  const until = new Date(now.getTime() + overlapSeconds * 1000).toISOString()
  const made = await makeKey(deps, by, { name: name ?? '', scopes: [], allowedNetworks: [] })
  let apiKey = made.apiKey
  const notices = await noticesOfKey(deps, by, apiKey)
  const rotated = { id: apiKeyId, now: now.toISOString(), until, max: apiKeysPerOrganization }
  const outcome = await deps.store.rotateApiKey(by, rotated, (old) => {
    const inherited = { name: name ?? old.name, ...inheritLimits(old, now) }
    apiKey = { ...made.apiKey, ...inherited }
    const detail = `${old.name} (…${old.last4}), until ${until} → ${describeKey(apiKey)}`
    const act = { action: 'api-key.rotated', detail, notices: nameKey(notices, apiKey) }
    return { key: { ...made.stored, ...inherited }, audit: toAuditRecord(deps, by, act) }
  })
  if (outcome === undefined) throw apiKeyNotFound()
  if (outcome === 'ended') throw apiKeyEnded()
  if (outcome === 'too-many') rejectTooManyKeys()
  deps.mailer.wake()
  return { apiKey, key: made.key }
}

/** The demo creates keys without a session: no notice. */
async function noticesOfKey(
  deps: Deps,
  { organizationId, network, device, session }: Writer,
  { name, last4 }: ApiKey,
): Promise<Mail[]> {
  if (!session) return []
  const concerned = { organizationId, owners: true, network, device, about: { name, last4 } }
  return prepareNotices(deps, 'api-key-created', concerned)
}

/** A rotated key has the name of the old one, which is read in the commit. */
function nameKey(notices: readonly Mail[], { name }: ApiKey): Mail[] {
  return notices.map((mail) => ({ ...mail, about: { ...mail.about, name } }))
}

function inheritLimits({ scopes, allowedNetworks, createdAt, expiresAt }: ApiKey, now: Date) {
  if (expiresAt === undefined) return { scopes, allowedNetworks }
  const lifetimeMs = Date.parse(expiresAt) - Date.parse(createdAt)
  const until = new Date(now.getTime() + lifetimeMs).toISOString()
  return { scopes, allowedNetworks, expiresAt: until }
}

async function makeKey(
  { randomBytes, peppers, newId, now }: Deps,
  { organizationId }: Writer,
  named: { name: string } & ApiKeyLimits,
) {
  const key = generateApiKey(randomBytes)
  const [inUse] = (await peppers()).lines
  const digest = digestWithPepper(digestApiKey(key), inUse.key)
  const { name, scopes, allowedNetworks, expiresAt } = named
  const made = { id: newId(), name, last4: key.slice(-4), createdAt: now().toISOString() }
  const stored: NewApiKey = { ...made, ...named, organizationId, digest, pepper: inUse.mark }
  const apiKey: ApiKey = {
    ...made,
    scopes: [...scopes],
    allowedNetworks: [...allowedNetworks],
    ...(expiresAt !== undefined && { expiresAt }),
  }
  return { key, apiKey, stored }
}

function readName(typed: string): string {
  const name = typed.trim()
  checkFieldErrors({ name: findFirstError(name, [notBlank, atMost(apiKeyNameLength), printable]) })
  return name
}

function readLimits(
  { scopes, expiresAt, allowedNetworks }: CreateApiKeyRequest,
  now: Date,
): ApiKeyLimits {
  const unknown = scopes.find((scope) => !(apiKeyScopes as readonly string[]).includes(scope))
  const place = allowedNetworks.findIndex((network) => !isNetwork(network))
  checkFieldErrors({
    scopes: unknown === undefined ? undefined : `must contain only ${apiKeyScopes.join(', ')}`,
    expiresAt: findExpiryError(expiresAt, now),
    allowedNetworks:
      allowedNetworks.length > apiKeyNetworks
        ? `must have at most ${apiKeyNetworks} entries`
        : undefined,
    [`allowedNetworks[${place}]`]:
      place < 0 ? undefined : 'must be an IP address or a network such as 192.0.2.0/24',
  })
  return {
    scopes: [...new Set(scopes)],
    allowedNetworks: [...new Set(allowedNetworks)],
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  }
}

function findExpiryError(expiresAt: string | undefined, now: Date): string | undefined {
  if (expiresAt === undefined) return undefined
  const at = Date.parse(expiresAt)
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + apiKeyLifetimeYears)
  if (at > now.getTime() && at <= latest.getTime()) return undefined
  return `must be later than now, and at most ${apiKeyLifetimeYears} years ahead`
}

function describeKey({ id, name, last4, scopes, allowedNetworks, expiresAt }: ApiKey): string {
  const limited = [
    scopes.join(' '),
    allowedNetworks.join(' '),
    expiresAt === undefined ? '' : `until ${expiresAt}`,
  ]
  return [`${name} (…${last4})`, id, ...limited.filter((part) => part !== '')].join(', ')
}

function apiKeyEnded(): ApiError {
  return new ApiError(
    'API_KEY_NOT_FOUND',
    'This API key has expired or was revoked, and cannot be rotated. Create a new key instead.',
  )
}

function rejectTooManyKeys(): void {
  const message = `cannot be used for another key: the organization has ${apiKeysPerOrganization} active keys, the maximum; revoke one first`
  checkFieldErrors({ name: message })
}
