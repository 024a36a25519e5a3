import { existsSync } from 'node:fs'
import path from 'node:path'
import { evidenceKey, findOwnerOfSignedXml } from '@einvoicing/artefacts/artefact'
import {
  findContentProblem,
  findEvidenceProblem,
  readEvidenceLevel,
} from '@einvoicing/artefacts/commands/find-content-problem'
import { openArchiveReader } from '@einvoicing/artefacts/commands/read-archive'
import { verifyArchive } from '@einvoicing/artefacts/commands/verify-archive'
import { readArchiveConfig, type ArchiveConfig } from '@einvoicing/artefacts/config'
import type { InvoiceStore } from '@einvoicing/invoices/store/store'
import { systemClock } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { readCheckpointKey } from '@einvoicing/verification/audit/checkpoint'
import { addEvidence } from '@einvoicing/verification/evidence'
import { readTrustConfig, TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { Trust } from '@einvoicing/verification/verify/report'
import { withInvoiceStore } from './invoice-store'
import type { Shell } from './shell'
import { readTimeStampTrust } from './time-stamp-trust'

/** Exit status 1 when any object is damaged, or proves less than it should. */
export async function verify(shell: Shell): Promise<number> {
  const env = new EnvReader(shell.environment)
  const dataDir = path.resolve(env.text('DATA_DIR', './data'))
  const config = readArchiveConfig(env, dataDir)
  const trusted = new TrustedCertificates(readTrustConfig(env, dataDir))
  env.throwErrors()
  const trust = {
    signers: await trusted.list(),
    timeStamps: await readTimeStampTrust(env),
  }
  const check = new Check(trust, (key) => isArchived(config, key))
  const work = async (store: InvoiceStore | undefined) => {
    let objects = 0
    let damaged = 0
    for await (const { key, problem, bytes } of verifyArchive(config)) {
      objects += 1
      const found = problem ?? (bytes && (await check.find(key, bytes, store)))
      if (found === undefined) continue
      damaged += 1
      shell.print(found, { key, problem: found })
    }
    const { proofs } = check
    const text = `${objects} objects read, ${damaged} damaged`
    shell.print(proofs === 0 ? text : `${text}; ${proofs} proofs verified`, {
      ...{ objects, damaged },
      ...(proofs > 0 && { proofs }),
    })
    return damaged > 0 ? 1 : 0
  }
  try {
    const isStoreNamed =
      env.optionalText('MONGODB_URL') !== undefined || existsSync(path.join(dataDir, 'invoices.db'))
    return await (isStoreNamed ? withInvoiceStore(shell, work) : work(undefined))
  } catch (error) {
    // The archive client's own error says more.
    const { cause } = error as Error
    throw cause instanceof Error ? cause : error
  }
}

async function isArchived(config: ArchiveConfig, key: string): Promise<boolean> {
  const archive = await openArchiveReader(config)
  try {
    return (await archive.get(key)) !== undefined
  } finally {
    archive.close()
  }
}

interface Owner {
  organizationId: string
  invoiceId: string
  /** Keys. */
  evidence: readonly string[]
}

class Check {
  /** Time stamps, evidence and checkpoints. */
  proofs = 0
  /** Of the invoice under way: evidence comes before its original, in the order of the names. */
  private evidence: string[] = []
  private readonly trust: Trust

  private readonly isArchived: (key: string) => Promise<boolean>

  constructor(trust: Trust, isArchived: (key: string) => Promise<boolean>) {
    this.trust = trust
    this.isArchived = isArchived
  }

  async find(
    key: string,
    bytes: Buffer,
    store: InvoiceStore | undefined,
  ): Promise<string | undefined> {
    const owner = findOwnerOfSignedXml(key)
    if (owner) {
      const evidence = this.evidence
      this.evidence = []
      return store && this.findStamp(store, { ...owner, evidence }, bytes)
    }
    if (readEvidenceLevel(key)) this.evidence.push(key)
    if (readEvidenceLevel(key) ?? readCheckpointKey(key)) this.proofs += 1
    const problem = await findContentProblem(key, bytes, this.context())
    return problem && `the archived object ${key} is not a valid proof: ${problem}`
  }

  /** Until an artefact has it, the time stamp of a signature is in the store. */
  private async findStamp(
    store: InvoiceStore,
    { organizationId, invoiceId, evidence }: Owner,
    original: Buffer,
  ): Promise<string | undefined> {
    const held = await store.readEvidence(organizationId, invoiceId)
    if (held?.token === undefined) {
      const key = held && evidenceKey(organizationId, invoiceId, held.artefact)
      if (key === undefined || evidence.includes(key)) return undefined
      // It may have been written since the list was read.
      if (await this.isArchived(key)) return undefined
      return `the store names ${key} as evidence, but it is not in the archive`
    }
    const { token } = held
    this.proofs += 1
    const stamp = { kind: 'signatureTimeStamp', token: Buffer.from(token) } as const
    const problem = findEvidenceProblem(addEvidence(original, [stamp]), 'T', this.context())
    return problem && `the time stamp of invoice ${invoiceId} is not valid: ${problem}`
  }

  private context() {
    return { trust: this.trust, now: systemClock() }
  }
}
