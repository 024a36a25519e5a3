import { existsSync } from 'node:fs'
import path from 'node:path'
import { artefactKey, computeRetention, type RetentionStart } from '@einvoicing/artefacts/artefact'
import {
  listFolder,
  openArchiveReader,
  type ArchiveReader,
} from '@einvoicing/artefacts/commands/read-archive'
import { readArchiveConfig } from '@einvoicing/artefacts/config'
import type { AuditChains, AuditLog } from '@einvoicing/runtime/audit-chain'
import { documentCheck } from '@einvoicing/invoices/commands/find-document-problem'
import { systemClock } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { checkpointFolder, readCheckpointKey } from '@einvoicing/verification/audit/checkpoint'
import {
  verifyAudit,
  type AuditFinding,
  type KeptCheckpoint,
} from '@einvoicing/verification/audit/verify-audit'
import type { FindDocumentProblem } from '@einvoicing/verification/audit/verify-chain'
import { withInvoiceStore } from './invoice-store'
import { withOrganizationStore } from './organization-store'
import type { Shell } from './shell'
import { readTimeStampTrust } from './time-stamp-trust'

export interface VerifyOptions {
  organization?: string
  log?: AuditLog
}

/** Exit status 1 when anything was changed, or the organization has no chain. */
export async function verify(shell: Shell, { organization, log }: VerifyOptions): Promise<number> {
  const env = new EnvReader(shell.environment)
  const isSet = (name: string) => env.optionalText(name) !== undefined
  const isShared = !isSet('MONGODB_URL') || isSet('DATA_DIR')
  if (!log && !isShared) {
    shell.note(
      'only the log of invoices was verified: for organizations, set its MONGODB_URL and --log organizations',
    )
  }
  const logs: AuditLog[] = log ? [log] : isShared ? ['invoices', 'organizations'] : ['invoices']
  const archive = await openArchive(shell)
  const trusted = await readTimeStampTrust(env)
  if (!trusted) {
    shell.note(
      'the issuer of the time stamps is not checked: set TSA_TRUSTED_CERTIFICATES_FILE to the value of artefacts',
    )
  }
  const count = new Counts()
  try {
    for (const one of logs) {
      const work: Work = async (chains, findDocument) => {
        const listCheckpoints = archive && (() => readCheckpoints(archive, one))
        // One log may take hours: the next has checkpoints of a later day.
        const trust = { trusted, now: systemClock() }
        const audit = { log: one, chains, findDocument, listCheckpoints, trust }
        const options = { ...audit, organizationId: organization }
        for await (const finding of verifyAudit(options)) count.take(shell, finding)
      }
      if (one === 'invoices') await withInvoices(shell, archive, work)
      else await withOrganizationStore(shell, (chains) => work(chains, undefined))
    }
  } finally {
    archive?.close()
  }
  return count.report(shell, organization)
}

async function openArchive(shell: Shell): Promise<ArchiveReader | undefined> {
  const env = new EnvReader(shell.environment)
  const dataDir = path.resolve(env.text('DATA_DIR', './data'))
  const config = readArchiveConfig(env, dataDir)
  env.throwErrors()
  if (config.kind === 'filesystem' && !existsSync(config.directory)) {
    shell.note(
      'the archive is not compared: set S3_URL and its settings to the values of artefacts, or set DATA_DIR',
    )
    return undefined
  }
  return openArchiveReader(config)
}

type Work = (chains: AuditChains, findDocument: FindDocumentProblem | undefined) => Promise<void>

async function withInvoices(
  shell: Shell,
  archive: ArchiveReader | undefined,
  work: Work,
): Promise<void> {
  const readArchived =
    archive &&
    (async (organizationId: string, invoiceId: string) =>
      (await archive.get(artefactKey(organizationId, invoiceId, 'signedXml')))?.bytes)
  const mayBeMissing = (invoice: RetentionStart) => computeRetention(invoice) < systemClock()
  await withInvoiceStore(shell, async (store) => {
    await work(store, documentCheck(store, { readArchived, mayBeMissing }))
    return 0
  })
}

async function* readCheckpoints(
  archive: ArchiveReader,
  log: AuditLog,
): AsyncGenerator<KeptCheckpoint> {
  for await (const key of listFolder(archive, checkpointFolder(log))) {
    const date = readCheckpointKey(key)?.date
    if (date === undefined) continue
    const read = async () => {
      const object = await archive.get(key)
      if (!object) throw new Error('it is gone')
      return object.bytes
    }
    yield { date, read }
  }
}

class Counts {
  private chains = 0
  private readonly broken = new Set<string>()
  private readonly checkpoints = new Set<string>()
  private readonly brokenCheckpoints = new Set<string>()
  private notTimeStamped = 0

  take(shell: Shell, finding: AuditFinding): void {
    const { log, problem } = finding
    if (finding.kind === 'chain') this.chains += 1
    else if (finding.kind === 'checkpoint') {
      const name = `${log} ${finding.date}`
      this.checkpoints.add(name)
      if (problem !== undefined) this.brokenCheckpoints.add(name)
      else if (!finding.isTimeStamped) this.notTimeStamped += 1
    }
    if (problem === undefined) return
    if (finding.kind !== 'checkpoint') this.broken.add(`${log}/${finding.organizationId}`)
    shell.print(`${describePlace(finding)}: ${problem}`, finding)
  }

  report(shell: Shell, organization: string | undefined): number {
    const { chains, notTimeStamped } = this
    const broken = this.broken.size
    const [checkpoints, brokenCheckpoints] = [this.checkpoints.size, this.brokenCheckpoints.size]
    if (notTimeStamped > 0) shell.note(`${notTimeStamped} checkpoints have no time stamp`)
    if (organization !== undefined && chains === 0) {
      shell.note(`${organization} has no chain: it has no entry, or the id is wrong`)
      return 1
    }
    shell.print(
      `${chains} chains verified, ${broken} broken; ${checkpoints} checkpoints, ${brokenCheckpoints} broken`,
      { chains, broken, checkpoints, brokenCheckpoints, notTimeStamped },
    )
    return broken + brokenCheckpoints > 0 ? 1 : 0
  }
}

function describePlace(finding: AuditFinding): string {
  const { log, organizationId, seq } = finding
  const place = organizationId === undefined ? log : `${log}/${organizationId}`
  const entry = seq === undefined ? '' : `, entry ${seq}`
  return finding.kind === 'checkpoint'
    ? `${place}${entry}, checkpoint of ${finding.date}`
    : `${place}${entry}`
}
