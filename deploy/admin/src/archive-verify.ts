import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { evidenceKey, findOwnerOfSignedXml } from '@einvoicing/artefacts/artefact'
import {
  findContentProblem,
  findEvidenceProblem,
  readEvidenceNumber,
} from '@einvoicing/artefacts/commands/find-content-problem'
import { openArchiveReader, type ArchiveReader } from '@einvoicing/artefacts/commands/read-archive'
import { verifyArchive } from '@einvoicing/artefacts/commands/verify-archive'
import { readArchiveConfig } from '@einvoicing/artefacts/config'
import type { InspectedObject } from '@einvoicing/artefacts/objects/inspected-object'
import type { InvoiceStore } from '@einvoicing/invoices/store/store'
import { systemClock, type Clock } from '@einvoicing/runtime/clock'
import { EnvReader } from '@einvoicing/runtime/env'
import { readCheckpointKey } from '@einvoicing/verification/audit/checkpoint'
import { appendEvidence, removeEvidence } from '@einvoicing/verification/evidence'
import { readTrustConfig, TrustedCertificates } from '@einvoicing/verification/trusted-certificates'
import type { Trust } from '@einvoicing/verification/verify/report'
import { withInvoiceStore } from './invoice-store'
import type { Shell } from './shell'
import { readTimeStampTrust } from './time-stamp-trust'

export interface ArchiveVerifyOptions {
  /** A key: objects up to it are left out. */
  after?: string
}

/** Exit status 1 when any object is damaged, or proves less than it should. */
export async function verify(
  shell: Shell,
  now: Clock = systemClock,
  { after }: ArchiveVerifyOptions = {},
): Promise<number> {
  const env = new EnvReader(shell.environment)
  const dataDir = path.resolve(env.text('DATA_DIR', './data'))
  const config = readArchiveConfig(env, dataDir)
  const trusted = new TrustedCertificates(readTrustConfig(env, dataDir))
  env.throwErrors()
  const trust = {
    signers: await trusted.list(),
    timeStamps: await readTimeStampTrust(env),
  }
  let archive: ArchiveReader | undefined
  const isArchived = async (key: string) => (await archive?.get(key)) !== undefined
  const check = new Check({ trust, now }, isArchived)
  let objects = 0
  let damaged = 0
  const work = async (store: InvoiceStore | undefined) => {
    const report = (found: readonly Found[]) => {
      damaged += found.length
      for (const one of found) shell.print(one.problem, one)
    }
    for await (const object of verifyArchive(config, after)) {
      objects += 1
      report(await check.find(object, store))
    }
    report(check.endInvoice())
    const { proofs } = check
    const text = `${objects} objects read, ${damaged} damaged`
    shell.print(proofs === 0 ? text : `${text}; ${proofs} proofs verified`, {
      objects,
      damaged,
      ...(proofs > 0 && { proofs }),
    })
    return damaged > 0 ? 1 : 0
  }
  try {
    archive = await openArchiveReader(config)
    const isStoreNamed =
      env.optionalText('MONGODB_URL') !== undefined || existsSync(path.join(dataDir, 'invoices.db'))
    return await (isStoreNamed ? withInvoiceStore(shell, work) : work(undefined))
  } catch (error) {
    const last = check.lastOfInvoice ?? after
    if (last !== undefined) {
      shell.note(
        `stopped after ${objects} objects, ${damaged} damaged; to continue: npm run admin -- archive verify --after ${last}`,
      )
    }
    // The archive client's own error says more.
    const { cause } = error as Error
    throw cause instanceof Error ? cause : error
  } finally {
    archive?.close()
  }
}

interface Owner {
  organizationId: string
  invoiceId: string
}

interface Judge {
  trust: Trust
  now: Clock
}

interface Found {
  key: string
  problem: string
}

/** Objects come by key: those of an invoice together, its evidence before its original. */
class Check {
  proofs = 0
  /** The key that ends the invoice before this one: what is past it can be verified alone. */
  lastOfInvoice: string | undefined
  private folder = ''
  private key: string | undefined
  private evidence: string[] = []
  private originalDigests = new Map<string, string>()
  private newest: { number: number; ended: Found | undefined } | undefined
  private readonly judge: Judge
  private readonly isArchived: (key: string) => Promise<boolean>

  constructor(judge: Judge, isArchived: (key: string) => Promise<boolean>) {
    this.judge = judge
    this.isArchived = isArchived
  }

  async find(
    { key, problem, bytes }: InspectedObject,
    store: InvoiceStore | undefined,
  ): Promise<Found[]> {
    const folder = path.posix.dirname(key)
    const isNext = folder !== this.folder
    if (isNext) this.lastOfInvoice = this.key
    const ended = isNext ? this.endInvoice() : []
    this.folder = folder
    this.key = key
    const own = problem ?? (bytes && (await this.findProblem(key, bytes, store)))
    const foreign = bytes && findOwnerOfSignedXml(key) ? this.findForeign(bytes) : []
    return [...ended, ...foreign, ...(own === undefined ? [] : [{ key, problem: own }])]
  }

  private findForeign(original: Buffer): Found[] {
    const expected = computeDigest(original)
    return [...this.originalDigests]
      .filter(([, digest]) => digest !== expected)
      .map(([key]) => ({
        key,
        problem: `the archived object ${key} is not a valid proof: it is of another document than signed.xml`,
      }))
  }

  /** Its newest evidence proves what is older. */
  endInvoice(): Found[] {
    const { ended } = this.newest ?? {}
    this.newest = undefined
    this.evidence = []
    this.originalDigests.clear()
    return ended ? [ended] : []
  }

  private async findProblem(
    key: string,
    bytes: Buffer,
    store: InvoiceStore | undefined,
  ): Promise<string | undefined> {
    const owner = findOwnerOfSignedXml(key)
    if (owner) return store && this.findStamp(store, owner, bytes)
    const number = readEvidenceNumber(key)
    if (number !== undefined) this.evidence.push(key)
    if (number !== undefined || readCheckpointKey(key)) this.proofs += 1
    const found = await findContentProblem(key, bytes, this.context())
    const problem = found && `the archived object ${key} is not a valid proof: ${found.problem}`
    const isIntact = found === undefined || found.isEnded
    if (isIntact && (number !== undefined || isStamped(key))) {
      this.originalDigests.set(key, computeDigest(removeEvidence(bytes)))
    }
    if (number === undefined || !isIntact) return problem
    if (!this.newest || this.newest.number < number) {
      this.newest = { number, ended: problem === undefined ? undefined : { key, problem } }
    }
    return undefined
  }

  /** Until an artefact has it, the time stamp of a signature is in the store. */
  private async findStamp(
    store: InvoiceStore,
    { organizationId, invoiceId }: Owner,
    original: Buffer,
  ): Promise<string | undefined> {
    const held = await store.readEvidence(organizationId, invoiceId)
    if (held?.token === undefined) {
      const key = held && evidenceKey(organizationId, invoiceId, held.artefact)
      if (key === undefined || this.evidence.includes(key)) return undefined
      // It may have been written since the list was read.
      if (await this.isArchived(key)) return undefined
      return `the store names ${key} as evidence, but it is not in the archive`
    }
    const { token } = held
    this.proofs += 1
    const stamp = { kind: 'signatureTimeStamp', token: Buffer.from(token) } as const
    const found = findEvidenceProblem(appendEvidence(original, [stamp]), 'T', this.context())
    return found && `the time stamp of invoice ${invoiceId} is not valid: ${found.problem}`
  }

  private context() {
    return { trust: this.judge.trust, now: this.judge.now() }
  }
}

function isStamped(key: string): boolean {
  return /\/signed-t-[1-9]\d*\.xml$/.test(key)
}

function computeDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
