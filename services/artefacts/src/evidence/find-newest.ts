import { ApiError } from '@einvoicing/domain/api-error'
import type { SignatureLevel } from '@einvoicing/domain/signature-level'
import { InvalidEvidence } from './compose'
import { judgeEvidence, type EvidenceContext, type Held } from './judge'

interface Found {
  newest: Held | undefined
  nextArchive: number
  isForeignFound: boolean
}

/** The archive may have newer ones than the store knows, and some of other writers. */
export async function findNewestEvidence(
  context: EvidenceContext,
  level: SignatureLevel,
): Promise<Found> {
  const { archived, request } = context
  const { there, next, ...listed } = await listArchived(context, level)
  let { last } = listed
  let ended: Held | undefined
  for (const artefact of there.toReversed()) {
    const held = { artefact, bytes: last ?? (await archived.read(archived.keyTo(artefact))) }
    const found = await judgeEvidence(context, held)
    if (found === 'valid') return { newest: held, nextArchive: next, isForeignFound: false }
    if (found === 'ended') ended ??= held
    last = undefined
  }
  if (ended) return { newest: ended, nextArchive: next, isForeignFound: false }
  const isForeignFound = there.length > 0
  if (isForeignFound && !request.token) {
    throw new InvalidEvidence('none of the evidence in the archive is valid for this document')
  }
  return { newest: undefined, nextArchive: next, isForeignFound }
}

interface Listed {
  there: readonly number[]
  last: Buffer | undefined
  next: number
}

async function listArchived(
  { archived, request }: EvidenceContext,
  level: SignatureLevel,
): Promise<Listed> {
  const { artefact: known, token } = request
  // A restored store may know nothing of level LT, nor of the time stamp.
  const first = known ?? (level === 'LTA' && token ? 1 : 0)
  const there: number[] = []
  let last: Buffer | undefined
  for (let next = first; ; next += 1) {
    const key = archived.keyTo(next)
    const bytes = await archived.find(key)
    if (bytes) {
      there.push(next)
      last = bytes
    } else if (next === known) {
      throw new ApiError('ARTEFACT_NOT_AVAILABLE', `${key} is not in the archive.`)
    } else if (next > 0) return { there, last, next }
  }
}
