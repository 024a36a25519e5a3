import { toApproval, type Approval } from '@einvoicing/domain/approval'
import { isIce } from '@einvoicing/domain/legal-mentions'
import { toAuditRecord } from '../audit-record'
import { describeMentionsChange, findMentionError } from '../legal-mentions'
import { prepareNotices } from '../notices'
import { listOwners } from '../owners'
import type { StoredOrganization } from '../store/store'
import { atMost, findFirstError, notBlank, printable } from '../text-rules'
import { CommandError, type CommandDeps } from './account-command'

export interface ListedOrganization {
  organizationId: string
  name: string
  ice: string
  approval: Approval
  createdAt: string
  owners: string[]
}

const listedAtOnce = 100
const reasonLength = 300

export async function* listOrganizations(
  { store }: CommandDeps,
  approval?: Approval,
): AsyncGenerator<ListedOrganization> {
  for (let after = ''; ;) {
    const found = await store.listOrganizations({ approval, after, count: listedAtOnce })
    for (const { id, mentions, createdAt, approval: stored } of found) {
      const owners = await listOwners(store, id)
      const { name, ice } = mentions
      const decided = toApproval(stored)
      yield { organizationId: id, name, ice, approval: decided, createdAt, owners }
    }
    after = found.at(-1)?.id ?? ''
    if (found.length < listedAtOnce) return
  }
}

/** From then on no other organization can have its ICE. */
export async function approve(
  deps: CommandDeps,
  organizationId: string,
): Promise<StoredOrganization> {
  const organization = await findOrganization(deps, organizationId)
  const { ice, name } = organization.mentions
  const concerned = { organizationId, owners: true, about: { ice } }
  const notices = await prepareNotices(deps, 'organization-approved', concerned)
  const decided = await deps.store.decideApproval(
    byOperator(deps, organizationId),
    'APPROVED',
    (before) => {
      if (before.approval === 'APPROVED') throw new CommandError(`${name} is already approved`)
      if (!isIce(before.mentions.ice)) {
        throw new CommandError(`${name} has no ICE yet: its owner must enter it first`)
      }
      if (before.mentions.ice !== ice || before.mentions.name !== name) throw changedMeanwhile()
      const detail = `${before.mentions.name}, ICE ${before.mentions.ice}`
      return toAuditRecord(deps, deps, { action: 'organization.approved', detail, notices })
    },
  )
  if (typeof decided === 'object') throw await iceTaken(deps, ice, decided.taken)
  return { ...organization, approval: 'APPROVED' }
}

/** It cannot sign any more; another organization can have its ICE. */
export async function suspend(
  deps: CommandDeps,
  organizationId: string,
  typed: string,
): Promise<StoredOrganization> {
  const reason = readReason(typed)
  const organization = await findOrganization(deps, organizationId)
  const concerned = { organizationId, owners: true, about: { reason } }
  const notices = await prepareNotices(deps, 'organization-suspended', concerned)
  await deps.store.decideApproval(byOperator(deps, organizationId), 'SUSPENDED', (before) => {
    if (before.approval === 'SUSPENDED') {
      throw new CommandError(`${before.mentions.name} is already suspended`)
    }
    return toAuditRecord(deps, deps, { action: 'organization.suspended', detail: reason, notices })
  })
  return { ...organization, approval: 'SUSPENDED' }
}

export interface IdentityChange {
  name?: string | undefined
  ice?: string | undefined
}

export async function changeIdentity(
  deps: CommandDeps,
  organizationId: string,
  { change, reason: typed }: { change: IdentityChange; reason: string },
): Promise<StoredOrganization> {
  const reason = readReason(typed)
  const { mentions, ...organization } = await findOrganization(deps, organizationId)
  const changed = readIdentity(change)
  const after = { ...mentions, ...changed }
  const about = { change: describeMentionsChange(mentions, after) }
  const concerned = { organizationId, owners: true, about }
  const notices = await prepareNotices(deps, 'organization-changed', concerned)
  const replacing = { mentions: after, isIceChecked: true }
  const by = byOperator(deps, organizationId)
  const replaced = await deps.store.replaceMentions(by, replacing, (before) => {
    if (describeMentionsChange(before, mentions) !== describeMentionsChange(mentions, mentions)) {
      throw changedMeanwhile()
    }
    const detail = `${about.change} (${reason})`
    return toAuditRecord(deps, deps, { action: 'organization.changed', detail, notices })
  })
  if (replaced === 'ice-taken') throw await iceTaken(deps, after.ice)
  return { ...organization, mentions: after }
}

function readIdentity({ name, ice }: IdentityChange): { name?: string; ice?: string } {
  const changed = {
    ...(name !== undefined && { name: name.trim() }),
    ...(ice !== undefined && { ice: ice.replaceAll(' ', '') }),
  }
  if (Object.keys(changed).length === 0) throw new CommandError('give --name, --ice or both')
  for (const [field, value] of Object.entries(changed)) {
    const error =
      value === '' ? 'must not be blank' : findMentionError(field as 'name' | 'ice', value)
    if (error !== undefined) throw new CommandError(`${field} ${error}`)
  }
  return changed
}

function readReason(typed: string): string {
  const reason = typed.trim()
  const error = findFirstError(reason, [notBlank, atMost(reasonLength), printable])
  if (error !== undefined) throw new CommandError(`--reason ${error}: owners read it`)
  return reason
}

async function findOrganization(
  { store }: CommandDeps,
  organizationId: string,
): Promise<StoredOrganization> {
  const found = await store.findOrganization(organizationId)
  if (!found) throw new CommandError(`no organization has the id ${organizationId}`)
  return found
}

const byOperator = ({ actor }: CommandDeps, organizationId: string) => ({ organizationId, actor })

const changedMeanwhile = () =>
  new CommandError(
    'its legal details were changed in the meantime: check them, then run the command again',
  )

async function iceTaken(
  { store }: CommandDeps,
  ice: string,
  holder?: string,
): Promise<CommandError> {
  const name = holder === undefined ? undefined : (await store.findMentions(holder))?.name
  const other = holder === undefined ? 'another organization' : `${holder} (${name ?? ''})`
  return new CommandError(
    `the ICE ${ice} belongs to ${other}, which is approved: check both, and suspend the one that does not hold it`,
  )
}
