import { isAtLeast } from '@einvoicing/domain/signature-level'
import {
  findCheckpointProblem,
  readCheckpoint,
  readCheckpointKey,
} from '@einvoicing/verification/audit/checkpoint'
import { verifyInvoice, type Trust } from '@einvoicing/verification/verify/report'

/** Originals are not verified: without evidence they end with their certificate. */
export async function findContentProblem(
  key: string,
  bytes: Buffer,
  { trust, now }: { trust: Trust; now: Date },
): Promise<string | undefined> {
  const day = readCheckpointKey(key)
  if (day) {
    try {
      const trusted = { trusted: trust.timeStamps, now }
      return findCheckpointProblem(await readCheckpoint(bytes), day, trusted)
    } catch (error) {
      return (error as Error).message
    }
  }
  const level = readEvidenceLevel(key)
  return level && findEvidenceProblem(bytes, level, { trust, now })
}

export function findEvidenceProblem(
  bytes: Buffer,
  level: 'T' | 'LT' | 'LTA',
  { trust, now }: { trust: Trust; now: Date },
): string | undefined {
  const report = verifyInvoice(bytes, trust, now)
  const failed = report.checks.find(({ ok }) => !ok)
  if (failed) {
    const { name, fault: problem = 'it fails' } = failed
    return `${name}: ${problem}`
  }
  if (report.level && isAtLeast(report.level, level)) return undefined
  return `its level is ${report.level ?? 'none'}, not ${level}`
}

export function readEvidenceLevel(key: string): 'LT' | 'LTA' | undefined {
  const [, name] = /\/signed-(lt|lta-[1-9]\d*)\.xml$/.exec(key) ?? []
  if (name === undefined) return undefined
  return name === 'lt' ? 'LT' : 'LTA'
}
