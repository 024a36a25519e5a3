import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@einvoicing/domain/api-error'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Client } from 'minio'
import { S3Connection } from './connection'

const pauseMsMin = 1_000
const pauseMsMax = 30_000
const unavailableMsMax = 5 * 60_000

/** For commands that read for hours: once the server has answered, they wait for it. */
export class PatientConnection extends S3Connection {
  private hasAnswered = false

  override async call<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const until = performance.now() + unavailableMsMax
    for (let pauseMs = pauseMsMin; ; pauseMs = Math.min(2 * pauseMs, pauseMsMax)) {
      try {
        const answer = await super.call(work)
        this.hasAnswered = true
        return answer
      } catch (error) {
        const isWorthWaiting = this.hasAnswered && isPassing(error)
        if (!isWorthWaiting || performance.now() + pauseMs > until) throw error
        await sleep(pauseMs)
      }
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && !(error.cause instanceof SettingsError)
}
