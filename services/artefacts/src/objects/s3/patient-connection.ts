import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@einvoicing/domain/api-error'
import { SettingsError } from '@einvoicing/runtime/env'
import { readSecretFile } from '@einvoicing/runtime/secret-file'
import type { Client } from 'minio'
import type { S3ObjectsConfig } from '../../config'
import { checkBucket } from './bucket'
import { S3Connection } from './connection'

const pauseMsMin = 1_000
const pauseMsMax = 30_000
const unavailableMsMax = 5 * 60_000

export async function openPatientConnection(config: S3ObjectsConfig): Promise<S3Connection> {
  const { url, bucket, region, accessKey, secretKeyFile } = config
  const secretKey = await readSecretFile('S3_SECRET_KEY_FILE', secretKeyFile)
  const connection = new PatientConnection({ url, bucket, region, accessKey }, secretKey)
  try {
    await checkBucket(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

/** For commands that read for hours: once the server has answered, they wait for it. */
class PatientConnection extends S3Connection {
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
