import { isAtLeast } from '@einvoicing/domain/signature-level'
import {
  findCheckpointProblem,
  readCheckpoint,
  readCheckpointKey,
} from '@einvoicing/verification/audit/checkpoint'
import { verifyInvoice, type Report, type Trust } from '@einvoicing/verification/verify/report'
import { computeRetention } from '../artefact'

export interface ContentProblem {
  problem: string
  /** It is intact, but its last time stamp has ended: newer evidence may prove it. */
  isEnded: boolean
}

interface Context {
  trust: Trust
  now: Date
}

/** Originals are not verified: without evidence they end with their certificate. */
export async function findContentProblem(
  key: string,
  bytes: Buffer,
  context: Context,
): Promise<ContentProblem | undefined> {
  const day = readCheckpointKey(key)
  if (day) {
    const problem = await findProblemOfDay(bytes, day, context)
    return problem === undefined ? undefined : { problem, isEnded: false }
  }
  const number = readEvidenceNumber(key)
  return number === undefined
    ? undefined
    : findEvidenceProblem(bytes, number === 0 ? 'LT' : 'LTA', context)
}

async function findProblemOfDay(
  bytes: Buffer,
  day: NonNullable<ReturnType<typeof readCheckpointKey>>,
  { trust, now }: Context,
): Promise<string | undefined> {
  try {
    return findCheckpointProblem(await readCheckpoint(bytes), day, {
      trusted: trust.timeStamps,
      now,
    })
  } catch (error) {
    return (error as Error).message
  }
}

/** After its retention, evidence may end: it is not renewed any more. */
export function findEvidenceProblem(
  bytes: Buffer,
  level: 'T' | 'LT' | 'LTA',
  { trust, now }: Context,
): ContentProblem | undefined {
  const report = verifyInvoice(bytes, trust, now)
  const problem = findFailure(report, level)
  if (problem === undefined) return undefined
  const last = report.timeStamps.at(-1)?.time
  const isEnded =
    typeof last === 'string' &&
    findFailure(verifyInvoice(bytes, trust, new Date(last)), level) === undefined
  return isEnded && isRetentionOver(report, now) ? undefined : { problem, isEnded }
}

function findFailure(report: Report, level: 'T' | 'LT' | 'LTA'): string | undefined {
  const failed = report.checks.find(({ ok }) => !ok)
  if (failed) {
    const { name, fault: problem = 'it fails' } = failed
    return `${name}: ${problem}`
  }
  if (report.level && isAtLeast(report.level, level)) return undefined
  return `its level is ${report.level ?? 'none'}, not ${level}`
}

function isRetentionOver({ invoice, signingTime }: Report, now: Date): boolean {
  if (!invoice?.invoiceDate || signingTime === null) return false
  return computeRetention({ invoiceDate: invoice.invoiceDate, signedAt: signingTime }) < now
}

export function readEvidenceNumber(key: string): number | undefined {
  const [name, number = '0'] = /\/signed-(?:lt|lta-([1-9]\d*))\.xml$/.exec(key) ?? []
  return name === undefined ? undefined : Number(number)
}
