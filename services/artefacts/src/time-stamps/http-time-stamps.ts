/** RFC 3161 over HTTP (its section 3.4). */

import { createHash, randomBytes } from 'node:crypto'
import { Histogram } from 'prom-client'
import { ApiError, unavailable } from '@einvoicing/domain/api-error'
import type { Clock } from '@einvoicing/runtime/clock'
import { within } from '@einvoicing/runtime/deadline'
import { metrics, timed } from '@einvoicing/runtime/metrics'
import { readSecretFile } from '@einvoicing/runtime/secret-file'
import { isTrusted } from '@einvoicing/verification/certificate-chain'
import { checkToken } from '@einvoicing/verification/time-stamps/check-token'
import { encodeRequest } from '@einvoicing/verification/time-stamps/request'
import { readResponse } from '@einvoicing/verification/time-stamps/response'
import { Breaker } from './breaker'
import type { TimeStampConfig } from './config'
import type { HttpClient } from './http-client'
import type { CertificateChain, TimeStamp, TimeStampQuery, TimeStamps } from './time-stamps'
import { openTimeStampTrust } from './trust'

const requestDuration = new Histogram({
  name: 'einvoicing_time_stamp_duration_seconds',
  help: 'Time until the time-stamp authority returned a valid time stamp, by outcome',
  labelNames: ['outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [metrics],
})

const requestDeadlineMs = 10_000
/** With less, a stamp may be paid for and its answer come too late. */
const requestLeastMs = 1_000
/** A token with the certificates of its chain has up to ten thousand. */
const answerBytesMax = 64 * 1024
const nonceBytes = 8
/** Then the authority may have another certificate. */
const latestMs = 600_000

export interface TimeStampDeps {
  http: HttpClient
  now: Clock
  elapsedMs?: () => number
}

export function openHttpTimeStamps(
  config: TimeStampConfig,
  { http, now, elapsedMs = () => performance.now() }: TimeStampDeps,
): TimeStamps & { trusted: ReturnType<typeof openTimeStampTrust> } {
  const trusted = openTimeStampTrust(config, http)
  const breaker = new Breaker()

  const ask = async (query: TimeStampQuery): Promise<TimeStamp> => {
    const nonce = BigInt(`0x${randomBytes(nonceBytes).toString('hex')}`)
    const { hash, digest, notBefore, deadline } = query
    const { policy } = config
    const answer = await http.send({
      method: 'POST',
      url: config.url,
      headers: {
        'content-type': 'application/timestamp-query',
        accept: 'application/timestamp-reply',
        ...(await authorization(config)),
      },
      body: encodeRequest({ hash, digest, policy, nonce }),
      deadlineMs: Math.min(requestDeadlineMs, deadline - Date.now()),
      answerBytesMax,
    })
    const token = readResponse(answer)
    const anchors = await trusted()
    const { info, certificate, links } = checkToken(token, {
      hash,
      digest,
      nonce,
      policy,
      notBefore,
      now: now(),
      isTrusted: (certificates, at) => isTrusted({ certificates, trusted: anchors, at }),
    })
    return { token, time: info.time, certificates: [certificate, ...links] }
  }
  let underway: Promise<TimeStamp> | undefined
  let latest: { certificates: CertificateChain; atMs: number } | undefined
  const stamp = async (query: TimeStampQuery): Promise<TimeStamp> => {
    try {
      if (query.deadline - Date.now() < requestLeastMs) throw new Error('no time is left for it')
      const work = () => timed(requestDuration, {}, () => ask(query))
      const stamped = await breaker.run(work, () => new Error('it failed several times in a row'))
      latest = { certificates: stamped.certificates, atMs: elapsedMs() }
      return stamped
    } catch (cause) {
      if (cause instanceof ApiError) throw cause
      throw unavailable('The time-stamp authority', cause)
    }
  }

  return {
    trusted,
    stamp,
    async certificates(deadline) {
      if (latest && elapsedMs() - latest.atMs < latestMs) return latest.certificates
      const { hash } = config
      const digest = createHash(hash).update('which certificate stamps').digest()
      // Not the first caller's deadline: others may have more time.
      const shared = { hash, digest, notBefore: now(), deadline: Date.now() + requestDeadlineMs }
      underway ??= stamp(shared).finally(() => {
        underway = undefined
      })
      const late = () => unavailable('The time-stamp authority')
      return (await within(deadline - Date.now(), underway, late)).certificates
    },
  }
}

/** Read each time, so that a new password needs no restart. */
async function authorization({ user }: TimeStampConfig): Promise<Record<string, string>> {
  if (user === undefined) return {}
  const password = await readSecretFile('TSA_PASSWORD_FILE', user.passwordFile)
  const credentials = Buffer.from(`${user.name}:${password}`).toString('base64')
  return { authorization: `Basic ${credentials}` }
}
