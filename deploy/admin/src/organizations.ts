import { approvals, type Approval } from '@einvoicing/domain/approval'
import { CommandError } from '@einvoicing/organizations/commands/account-command'
import {
  approve,
  changeIdentity,
  listOrganizations,
  suspend,
  type IdentityChange,
} from '@einvoicing/organizations/commands/approvals'
import type { StoredOrganization } from '@einvoicing/organizations/store/store'
import { withCommandDeps } from './accounts'
import type { Shell } from './shell'

export function list(shell: Shell, status?: string): Promise<void> {
  const approval = status === undefined ? undefined : readApproval(status)
  return withCommandDeps(shell, async (deps) => {
    for await (const listed of listOrganizations(deps, approval)) {
      const { organizationId, name, ice, createdAt, owners } = listed
      const about = [organizationId, listed.approval.padEnd(9), ice || '(no ICE)', name]
      shell.print([...about, createdAt, owners.join(' ')].join('  '), listed)
    }
  })
}

export async function approveOne(shell: Shell, organizationId: string): Promise<void> {
  const approved = await withCommandDeps(shell, (deps) => approve(deps, organizationId))
  report(shell, approved, 'is approved and can now sign')
}

export async function suspendOne(shell: Shell, organizationId: string, reason: string) {
  const suspended = await withCommandDeps(shell, (deps) => suspend(deps, organizationId, reason))
  report(shell, suspended, 'is suspended and can no longer sign')
}

export async function change(
  shell: Shell,
  organizationId: string,
  { reason, ...identity }: IdentityChange & { reason: string },
): Promise<void> {
  const changed = await withCommandDeps(shell, (deps) =>
    changeIdentity(deps, organizationId, { change: identity, reason }),
  )
  report(shell, changed, 'is its new name and ICE')
}

function report(shell: Shell, { id, mentions, approval }: StoredOrganization, what: string): void {
  const { name, ice } = mentions
  const changed = { organizationId: id, name, ice, approval: approval ?? 'APPROVED' }
  shell.print(`${name} (ICE ${ice}) ${what}`, changed)
}

function readApproval(typed: string): Approval {
  const found = approvals.find((one) => one === typed.toUpperCase())
  if (found) return found
  throw new CommandError(`--status must be one of ${approvals.join(', ').toLowerCase()}`)
}
