import { readFileSync } from 'node:fs'
import { EinvoicingClient, type ClientSettings } from '@einvoicing/client'
import { UsageError } from './outcome'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ConnectionOptions {
  url?: string
  keyFile?: string
}

export const defaultUrl = 'http://127.0.0.1:8080'

/** Throws `UsageError` that says what to set. */
export function openClient(
  options: ConnectionOptions,
  env: Environment,
  others: Partial<ClientSettings> = {},
): EinvoicingClient {
  const baseUrl = options.url ?? (env['EINVOICING_URL'] || defaultUrl)
  const apiKey = readKey(options.keyFile, env)
  try {
    return new EinvoicingClient({ baseUrl, apiKey, ...others })
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    const which = cause.message.startsWith('baseUrl') ? 'EINVOICING_URL' : 'The API key'
    const message = cause.message.replace(/^\w+/, which)
    throw new UsageError(message, { cause })
  }
}

function readKey(file: string | undefined, env: Environment): string {
  if (file !== undefined) return readKeyFile(file)
  if (env['EINVOICING_API_KEY']) return env['EINVOICING_API_KEY'].trim()
  if (env['EINVOICING_API_KEY_FILE']) return readKeyFile(env['EINVOICING_API_KEY_FILE'])
  throw new UsageError(
    'No API key. Set EINVOICING_API_KEY, or name a file that contains the key with EINVOICING_API_KEY_FILE or --key-file. Create keys in the dashboard.',
  )
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new UsageError(`Cannot read the key file ${file} (${code ?? 'unknown error'}).`, {
      cause,
    })
  }
}
