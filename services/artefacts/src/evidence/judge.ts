import { ApiError } from '@einvoicing/domain/api-error'
import type { AddEvidenceRequest } from '@einvoicing/proto/artefacts'
import { removeEvidence } from '@einvoicing/verification/evidence'
import { parseToken } from '@einvoicing/verification/time-stamps/token'
import type { ArchivedEvidence } from './archived-evidence'
import { InvalidEvidence, lastToken, requireValid, type Composer } from './compose'

export interface EvidenceContext {
  archived: ArchivedEvidence
  request: AddEvidenceRequest
  composer: Composer
  deadline: number
}

export interface Held {
  artefact: number
  bytes: Buffer
}

/** `ended`: it was valid when it was stamped last, and may be an old copy. */
export async function judgeEvidence(
  context: EvidenceContext,
  { artefact, bytes }: Held,
): Promise<'valid' | 'ended' | 'foreign'> {
  const { archived, request, composer, deadline } = context
  const key = archived.keyTo(artefact)
  if (!removeEvidence(bytes).equals(await archived.readDocument())) {
    archived.reportOtherDocument(key)
    return 'foreign'
  }
  // Verified when the store learned of it; before a renewal it is again.
  if (artefact === request.artefact) return 'valid'
  const expected = { document: bytes, level: artefact === 0 ? 'LT' : 'LTA' } as const
  try {
    await requireValid(composer, expected, deadline)
    return 'valid'
  } catch (error) {
    if (!(error instanceof InvalidEvidence)) throw error
    if (await hasEnded(context, expected)) return 'ended'
    archived.reportForeign(key, error.message)
    return 'foreign'
  }
}

async function hasEnded(
  { composer, deadline }: EvidenceContext,
  expected: Parameters<typeof requireValid>[1],
): Promise<boolean> {
  try {
    const last = lastToken(await composer.threads.read(expected.document, deadline))
    const now = () => parseToken(last).info.time
    await requireValid({ ...composer, now }, expected, deadline)
    return true
  } catch (error) {
    if (error instanceof ApiError) throw error
    return false
  }
}
