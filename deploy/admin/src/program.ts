/** The words of every operator command. What a command does is loaded when it runs. */

import { isIce } from '@einvoicing/domain/legal-mentions'
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { ArchiveVerifyOptions } from './archive-verify'
import type { VerifyOptions } from './audit-verify'
import type { EvidenceOptions } from './evidence'
import { createShell, type Shell } from './shell'

interface ProgramOptions {
  json?: boolean
  operator?: string
}

interface GroupOptions {
  /** Exit status for words that are not understood, or refused. */
  usageStatus: number
  /** Exit status when the command cannot be carried out. */
  failureStatus: number
}

type Action = (shell: Shell, ...words: never[]) => Promise<number | void>

type Add = (word: string, description: string, action: Action) => Command

interface Group {
  add: Add
  /** The same command without the name of its group. */
  addShort: Add
}

/** Returns the exit status; 0 also for help. */
export async function runProgram(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  let status = 0
  const { program, usageStatuses } = createProgram(environment, (ended) => (status = ended))
  try {
    await program.parseAsync(words, { from: 'user' })
    return status
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    const word = words.find((one) => !one.startsWith('-')) ?? ''
    return usageStatuses.get(word) ?? 2
  }
}

const groups = {
  key: { usageStatus: 1, failureStatus: 1 },
  archive: { usageStatus: 2, failureStatus: 2 },
  audit: { usageStatus: 2, failureStatus: 2 },
  evidence: { usageStatus: 2, failureStatus: 2 },
  recover: { usageStatus: 2, failureStatus: 2 },
  accounts: { usageStatus: 1, failureStatus: 2 },
  organizations: { usageStatus: 1, failureStatus: 2 },
  'dead-letters': { usageStatus: 2, failureStatus: 1 },
} satisfies Record<string, GroupOptions>

interface Program {
  program: Command
  /** By the first word of the command. */
  usageStatuses: Map<string, number>
}

function createProgram(environment: NodeJS.ProcessEnv, onEnd: (status: number) => void): Program {
  const usageStatuses = new Map<string, number>()
  const program = new Command('admin')
    .description(
      'Commands for operators.\nUsage: npm run admin -- COMMAND, or in a container: node deploy/admin/dist/main.js COMMAND',
    )
    .option('--json', 'print one JSON object per line')
    .option(
      '--operator <NAME>',
      'your name for the audit log; default: the user of this system',
      readOperator,
    )
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError()
    .exitOverride()
  const group = (name: keyof typeof groups, description: string): Group => {
    const words = program.command(name).description(description)
    const addTo =
      (parent: Command): Add =>
      (word, about, action) => {
        const run = async (...args: unknown[]): Promise<void> => {
          const { json: isJson = false, operator } = program.opts<ProgramOptions>()
          const carried = action as (...words: unknown[]) => Promise<number | void>
          onEnd(
            await carried(createShell(environment, { isJson, operator }), ...args).then(
              (status) => status ?? 0,
              (error: unknown) => report(error, isJson, groups[name]),
            ),
          )
        }
        const topWord = parent === program ? word : name
        usageStatuses.set(topWord, groups[name].usageStatus)
        return parent.command(word).description(about).action(run)
      }
    return { add: addTo(words), addShort: addTo(program) }
  }
  addKey(
    group('key', 'The signing key in the token that PKCS11_MODULE and PKCS11_TOKEN_LABEL name'),
  )
  addArchive(group('archive', 'The archive of signed documents'))
  addAudit(group('audit', 'The audit logs, each with one chain per organization'))
  addEvidence(
    group(
      'evidence',
      'Time stamps, and the evidence that keeps them valid for ten years; the running service does the work',
    ),
  )
  addRecover(group('recover', 'Invoices that are in the archive but missing from a restored store'))
  addAccounts(
    group(
      'accounts',
      'Accounts of users, in the store that DATA_DIR or MONGODB_URL names; the service may be running',
    ),
  )
  addOrganizations(
    group(
      'organizations',
      'Approval, name and ICE of organizations, in the store that DATA_DIR or MONGODB_URL names; the service may be running',
    ),
  )
  addDeadLetters(group('dead-letters', 'Events that no handler could process, at NATS_URL'))
  return { program, usageStatuses }
}

function report(error: unknown, isJson: boolean, group: GroupOptions): number {
  const { message, name } = error as Error
  process.stderr.write(isJson ? `${JSON.stringify({ error: message })}\n` : `${message}\n`)
  return name === 'CommandError' ? group.usageStatus : group.failureStatus
}

interface KeyOptions {
  keyLabel?: string
}

/** A container without a shell runs commands with its own settings only. */
function nameKey(shell: Shell, { keyLabel }: KeyOptions): Shell {
  if (keyLabel === undefined) return shell
  const { PKCS11_KEY_ID: _, ...environment } = shell.environment
  return { ...shell, environment: { ...environment, PKCS11_KEY_LABEL: keyLabel } }
}

function addKey({ add }: Group): void {
  const key = () => import('@einvoicing/admin/key')
  const label = [
    '--key-label <LABEL>',
    'the key with this label, instead of PKCS11_KEY_LABEL and PKCS11_KEY_ID',
  ] as const
  add(
    'make',
    'create a key pair with the label PKCS11_KEY_LABEL, the id PKCS11_KEY_ID and the algorithm SIGNER_KEY_ALGORITHM',
    async (shell, options: KeyOptions) => (await key()).makeKeyPair(nameKey(shell, options)),
  ).option(...label)
  add(
    'request',
    'write a certificate request for the key',
    async (shell, file: string, { subject, ...options }: KeyOptions & { subject: string }) =>
      (await key()).writeRequest(nameKey(shell, options), file, subject),
  )
    .argument('<file>', 'the file to write, or - for the standard output')
    .requiredOption('--subject <name>', 'subject, for example "C=MA, O=Company, CN=Invoices"')
    .option(...label)
  add(
    'install',
    'store the certificate and its intermediates in the token',
    async (shell, file: string, options: KeyOptions) =>
      (await key()).installFile(nameKey(shell, options), file),
  )
    .argument(
      '<file>',
      'PEM file, or - for the standard input: the certificate of the key first, then its issuers',
    )
    .option(...label)
  add('show', 'list the keys and certificates in the token', async (shell, options: KeyOptions) =>
    (await key()).showToken(nameKey(shell, options)),
  ).option(...label)
  add(
    'self-certify',
    'for trials: create a key, and a certificate from a local authority in DATA_DIR/signer',
    async (shell) => (await key()).selfCertifyKey(shell),
  )
}

function addArchive({ add }: Group): void {
  const work = () => import('@einvoicing/admin/archive-work')
  add(
    'verify',
    'read every object, compare its SHA-256 and check its lock',
    async (shell, options: ArchiveVerifyOptions) =>
      (await import('@einvoicing/admin/archive-verify')).verify(shell, undefined, options),
  ).option('--after <KEY>', 'leave out the objects up to this key, to continue')
  add('list', 'list artefacts that could not be archived after many attempts', async (shell) =>
    (await work()).list(shell),
  )
  add('retry', 'try to archive them again now', async (shell, ids: string[]) =>
    (await work()).retry(shell, ids),
  ).argument('<INVOICE-ID...>', 'ids of invoices, or "all"')
}

function addAudit({ add }: Group): void {
  add(
    'verify',
    'recompute every chain and compare it with the documents and checkpoints in the archive',
    async (shell, options: VerifyOptions) =>
      (await import('@einvoicing/admin/audit-verify')).verify(shell, options),
  )
    .option('--organization <ID>', 'only this organization')
    .addOption(new Option('--log <NAME>', 'only this log').choices(['invoices', 'organizations']))
}

function addEvidence({ add }: Group): void {
  const evidence = () => import('@einvoicing/admin/evidence')
  const perMinute = ['--per-minute <N>', 'maximum per minute (1 to 60000)', readRate, 600] as const
  add(
    'backfill',
    'request evidence up to EVIDENCE_LEVEL for every signature that lacks it',
    async (shell, options: EvidenceOptions) => (await evidence()).backfill(shell, options),
  ).option(...perMinute)
  add(
    'renew',
    'renew evidence that ends within EVIDENCE_RENEW_BEFORE_DAYS now, as the service does on its own',
    async (shell, options: EvidenceOptions) => (await evidence()).renew(shell, options),
  )
    .option(...perMinute)
    .option('--all', 'check all evidence again, after a setting changed')
}

const rateMax = 60_000

function readRate(text: string): number {
  const rate = Number(text)
  if (Number.isInteger(rate) && rate >= 1 && rate <= rateMax) return rate
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${rateMax}.`)
}

type StatedIces = Map<string, string[]>

interface RecoverWords {
  services?: boolean
  ice?: StatedIces
}

function addRecover({ add }: Group): void {
  const recover =
    (take: boolean) =>
    async (shell: Shell, { services: isServices, ice }: RecoverWords) => {
      const options = { take, ...(ice && { ices: ice }) }
      if (!isServices)
        return (await import('@einvoicing/admin/recover-standalone')).recover(shell, options)
      return (await import('@einvoicing/admin/recover-services')).recover(shell, options)
    }
  const services = [
    '--services',
    'use the artefacts service, with the settings of invoices; default: DATA_DIR, which no running process may use',
  ] as const
  const ices = [
    '--ice <ORGANIZATION=ICE>',
    'an ICE that an organization has or had and its stored invoices lack; may be repeated',
    collectIces,
  ] as const
  add('list', 'list them', recover(false))
    .option(...services)
    .option(...ices)
  add('take', 'add them to the store', recover(true))
    .option(...services)
    .option(...ices)
}

function collectIces(word: string, before: StatedIces = new Map()): StatedIces {
  const [organizationId = '', ice = '', ...others] = word.split('=')
  if (organizationId === '' || !isIce(ice) || others.length > 0) {
    throw new InvalidArgumentError('It must be the id of an organization, "=" and 15 digits.')
  }
  return new Map(before).set(organizationId, [...(before.get(organizationId) ?? []), ice])
}

const accounts = () => import('@einvoicing/admin/accounts')

function addAccounts({ add, addShort }: Group): void {
  addResetPassword(add, 'print a link to set a new password; it works once, for 30 minutes')
  addResetPassword(addShort, 'the same as `accounts reset-password`')
  add(
    'reset-second-factor',
    'remove the authenticator app, passkeys and recovery codes of a user, and end their sessions',
    async (shell, email: string) => (await accounts()).resetFactors(shell, email),
  ).argument('<EMAIL>')
  add(
    'change-email',
    'move the account of a user who lost the old address; with SMTP_URL the new one confirms it by a link',
    async (shell, from: string, to: string) => (await accounts()).changeEmail(shell, from, to),
  )
    .argument('<OLD-EMAIL>')
    .argument('<NEW-EMAIL>')
  addGrantOwner(add, 'make the member with this email an OWNER, or print an invitation as OWNER')
  addGrantOwner(addShort, 'the same as `accounts grant-owner`')
}

function addResetPassword(add: Add, description: string): void {
  add('reset-password', description, async (shell, email: string) =>
    (await accounts()).resetPassword(shell, email),
  ).argument('<EMAIL>')
}

function addGrantOwner(add: Add, description: string): void {
  add('grant-owner', description, async (shell, organization: string, email: string) =>
    (await accounts()).grantOwnership(shell, organization, email),
  )
    .argument('<ORGANIZATION>', 'id of the organization')
    .argument('<EMAIL>')
}

function addOrganizations({ add }: Group): void {
  const organizations = () => import('@einvoicing/admin/organizations')
  const id = ['<ORGANIZATION>', 'id of the organization, as `list` prints it'] as const
  const reason = [
    '--reason <TEXT>',
    'the reason, for the audit log and the email to the owners',
  ] as const
  add(
    'list',
    'list organizations with ICE, approval and owners, oldest first',
    async (shell, { status }: { status?: string }) => (await organizations()).list(shell, status),
  ).option('--status <STATUS>', 'only this status: pending, approved or suspended')
  add(
    'approve',
    'let an organization sign and reserve its ICE',
    async (shell, organization: string) => (await organizations()).approveOne(shell, organization),
  ).argument(...id)
  add(
    'suspend',
    'stop an organization from signing; it can still read and export',
    async (shell, organization: string, options: { reason: string }) =>
      (await organizations()).suspendOne(shell, organization, options.reason),
  )
    .argument(...id)
    .requiredOption(...reason)
  add(
    'change',
    'change a name or ICE that the owner can no longer change',
    async (shell, organization: string, options: { reason: string; name?: string; ice?: string }) =>
      (await organizations()).change(shell, organization, options),
  )
    .argument(...id)
    .option('--name <NAME>', 'the new name')
    .option('--ice <ICE>', 'the new ICE, 15 digits')
    .requiredOption(...reason)
}

function readOperator(name: string): string {
  if (/^[^\p{Cc}]{1,100}$/u.test(name.trim())) return name.trim()
  throw new InvalidArgumentError('It must have 1 to 100 characters.')
}

function addDeadLetters({ add }: Group): void {
  const letters = () => import('@einvoicing/admin/dead-letters')
  add('list', 'list them, oldest first', async (shell) =>
    (await letters()).list(shell),
  ).addArgument(new Argument('[all]').choices(['all']))
  add('replay', 'publish them again', async (shell, chosen: string[]) =>
    (await letters()).replay(shell, chosen),
  ).argument('<SEQ...>', 'sequence numbers, or "all"', collectSequences)
  add('drop', 'delete them', async (shell, chosen: string[]) =>
    (await letters()).drop(shell, chosen),
  ).argument('<SEQ...>', 'sequence numbers, or "all"', collectSequences)
}

function collectSequences(word: string, before: string[] = []): string[] {
  const isAll = word === 'all' || before.includes('all')
  if (isAll ? before.length > 0 : !/^\d+$/.test(word)) {
    throw new InvalidArgumentError('Use the sequence numbers that `list` prints, or only "all".')
  }
  return [...before, word]
}
