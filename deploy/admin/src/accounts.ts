import { randomBytes } from 'node:crypto'
import type { CommandDeps } from '@einvoicing/organizations/commands/account-command'
import { changeEmailFor } from '@einvoicing/organizations/commands/change-email'
import { grantOwner } from '@einvoicing/organizations/commands/grant-owner'
import { createResetLink } from '@einvoicing/organizations/commands/reset-password'
import { resetSecondFactor } from '@einvoicing/organizations/commands/reset-second-factor'
import { createMailWriter } from '@einvoicing/organizations/mail/mailer'
import { systemClock as now } from '@einvoicing/runtime/clock'
import { v7 as newId } from 'uuid'
import { withOrganizationStore } from './organization-store'
import type { Shell } from './shell'

export async function resetPassword(shell: Shell, email: string): Promise<void> {
  const reset = await withCommandDeps(shell, (deps) => createResetLink(deps, email))
  shell.print(
    `${reset.email} can set a new password once, until ${reset.expiresAt}; this ends all their sessions. Give them this link:\n${reset.link}`,
    reset,
  )
}

export async function resetFactors(shell: Shell, email: string): Promise<void> {
  const [reset, isNoticed] = await withCommandDeps(shell, async (deps) => [
    await resetSecondFactor(deps, email),
    deps.mailer.isOn,
  ])
  shell.print(
    `${reset.email} now signs in with the password alone; all their sessions have ended${isNoticed ? ', and a notice is queued for sending' : ''}.`,
    reset,
  )
}

export async function changeEmail(shell: Shell, from: string, to: string): Promise<void> {
  const changed = await withCommandDeps(shell, (deps) => changeEmailFor(deps, from, to))
  const text = changed.pending
    ? `A link to ${to} is queued for sending. When the user opens it, at the latest on ${changed.expiresAt}, the email changes from ${from} to ${to}.`
    : `The email was changed from ${from} to ${to}.`
  shell.print(text, changed)
}

export async function grantOwnership(
  shell: Shell,
  organizationId: string,
  email: string,
): Promise<void> {
  const granted = await withCommandDeps(shell, (deps) => grantOwner(deps, organizationId, email))
  const text =
    'link' in granted
      ? `${granted.email} can join ${organizationId} as OWNER once, until ${granted.expiresAt}. Give them this link:\n${granted.link}`
      : `${granted.email} is OWNER of ${organizationId}`
  shell.print(text, granted)
}

export async function withCommandDeps<T>(
  shell: Shell,
  work: (deps: CommandDeps & { verifiesEmail: boolean }) => Promise<T>,
): Promise<T> {
  return withOrganizationStore(shell, (store, { mail }) => {
    const { publicUrl } = mail
    const mailer = createMailWriter(mail, { newId, now })
    const actor = `operator:${shell.operator}`
    const verifiesEmail = mail.transport?.kind === 'smtp'
    return work({ verifiesEmail, store, now, randomBytes, newId, publicUrl, mailer, actor })
  })
}
