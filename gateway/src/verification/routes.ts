import type { IncomingMessage } from 'node:http'
import { ApiError } from '@einvoicing/domain/api-error'
import { limits } from '@einvoicing/domain/limits'
import { addCheck, type Report } from '@einvoicing/verification/verify/report'
import { createCheck } from '@einvoicing/verification/verify/signature'
import { BodyMemory } from '../http/body-memory'
import { isUtf8MediaType } from '../http/body/media-type'
import { readBytes } from '../http/body/read-bytes'
import { sendOk } from '../http/envelope'
import { createCall, getExchange } from '../http/exchange'
import { releaseWhileWaiting } from '../http/overload/slot'
import type { Handle } from '../http/route-table'
import type { ApiTable } from '../routes/api-route'
import { verificationSchema } from './answer'
import { verificationExamples } from './examples'
import { findHeld, type Held, type HeldDeps } from './find-held'
import { verifyWithTrust, type TrustingDeps } from './verify-with-trust'

export type VerificationDeps = HeldDeps & TrustingDeps

// A memory of their own: documents to verify leave the bodies of invoices theirs.
const bodiesAtOnce = 5

const verify = (deps: VerificationDeps): Handle => {
  const bodyMemory = new BodyMemory(bodiesAtOnce * limits.verifiedBytes)
  return async (request, response) => {
    requireXml(request)
    getExchange(response).bodyMemory = bodyMemory
    const document = await readBytes(request, response, limits.verifiedBytes)
    const call = createCall(response)
    const verified = await releaseWhileWaiting(response, () =>
      verifyWithTrust(deps, document, call),
    )
    const held = await findHeld(deps, verified, createCall(response))
    sendOk(response, present(verified.report, held))
  }
}

/** Sent as they are: the bytes are verified. */
function requireXml({ headers }: IncomingMessage): void {
  const isXml = isUtf8MediaType(headers['content-type'] ?? '', 'application/xml')
  if (isXml && (headers['content-encoding'] ?? 'identity') === 'identity') return
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the signed file as it is, as "Content-Type: application/xml", in UTF-8 and without Content-Encoding.',
  )
}

function present(report: Report, held: Held | undefined) {
  const { intact, signatureValue, ...shown } = held ? addCheck(report, checkHeld(held)) : report
  const checks = shown.checks.map(({ name, ok, fault: problem = null }) => ({
    name,
    ok,
    fault: problem,
  }))
  return { ...shown, checks, held: held ?? null }
}

function checkHeld({ isHeld }: Held) {
  const problem = 'this service signed the document, but stores none with this number and signature'
  return createCheck('held', isHeld ? undefined : problem)
}

export const verificationRoutes: ApiTable<VerificationDeps> = {
  '/': {
    POST: {
      handle: verify,
      operationId: 'verifyDocument',
      summary: 'Verify a signed XML file: which check fails and why, who signed, when.',
      description:
        'Answers 200 for any file, valid or not; nothing is stored. The file is at most 16 MiB, sent as it is. `einvoicing verify --trusted FILE` makes the same checks offline, except `held`; the operator hands the file with the trusted authorities over.',
      rawBody: { mediaType: 'application/xml', description: 'The signed file, byte for byte.' },
      answer: { name: 'Verification', schema: verificationSchema, examples: verificationExamples },
    },
  },
}
