/** How a run ends: its exit code, and what is said of what went wrong. */

import { EinvoicingError } from '@einvoicing/client'
import { plain, withoutKeys, type Terminal } from './terminal'

export const exitCodes = {
  done: 0,
  /** The service refused; or what was asked about is REJECTED, FAILED, or does not verify. */
  refused: 1,
  /** Arguments, settings, files. */
  usage: 2,
  /** No answer for now: it may be had later. */
  notNow: 3,
  /** It may have been done; or there was no verdict in time. */
  open: 4,
  /** As shells say of SIGINT. */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What the caller has to change before he asks again. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** By Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  override readonly message = 'Stopped before it was done.'
}

/** Tells the error, and answers the code to end with. Throws what is a defect of ours. */
export function tellError(error: unknown, terminal: Terminal, isJson: boolean): ExitCode {
  const told = toldOf(error)
  if (isJson) {
    const { code, message, exitCode: _, hint: __, ...facts } = told
    terminal.tell(JSON.stringify({ error: { code, message, ...facts } }))
    return told.exitCode
  }
  terminal.tell(`${terminal.styledError('red', told.code)}: ${plain(told.message)}`)
  for (const { field, message } of told.errors) {
    terminal.tell(`  ${terminal.styledError('bold', plain(field))} ${plain(message)}`)
  }
  if (told.hint !== undefined) terminal.tell(told.hint)
  // Where nobody answered, nobody knows the request.
  if (told.requestId !== undefined && told.status !== undefined) {
    terminal.tell(terminal.styledError('dim', `request ${plain(told.requestId)}`))
  }
  return told.exitCode
}

interface Told {
  code: string
  message: string
  errors: readonly { field: string; message: string }[]
  status?: number | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  exitCode: ExitCode
  hint?: string | undefined
}

function toldOf(error: unknown): Told {
  if (error instanceof EinvoicingError) {
    const { code, message, errors, status, requestId, retryAfterSeconds } = error
    const facts = { code, message, errors, status, requestId, retryAfterSeconds }
    return { ...facts, exitCode: exitCodeOf(error), hint: hintOf(error) }
  }
  if (error instanceof Interrupted) {
    const { message } = error
    return { code: 'INTERRUPTED', message, errors: [], exitCode: exitCodes.interrupted }
  }
  if (error instanceof UsageError || isOfTheSystem(error)) {
    const message = withoutKeys(error.message)
    return { code: 'USAGE', message, errors: [], exitCode: exitCodes.usage }
  }
  throw error
}

// A file that is not there, a folder that may not be written.
const isOfTheSystem = (error: unknown): error is Error =>
  error instanceof Error && 'syscall' in error

function exitCodeOf(error: EinvoicingError): ExitCode {
  if (error.code === 'OUTCOME_UNKNOWN' || error.code === 'NOT_FINAL') return exitCodes.open
  return error.isTemporary || error.code === 'NOT_THE_SERVICE'
    ? exitCodes.notNow
    : exitCodes.refused
}

function hintOf({ code }: EinvoicingError): string | undefined {
  switch (code) {
    case 'UNREACHABLE':
    case 'NOT_THE_SERVICE':
      return 'The address is EINVOICING_URL or --url.'
    case 'API_KEY_INVALID':
    case 'API_KEY_MISSING':
      return 'The key is read from --key-file, EINVOICING_API_KEY or EINVOICING_API_KEY_FILE; new ones are made in the dashboard.'
    case 'OUTCOME_UNKNOWN':
      return 'To create without doing so twice: einvoicing create --accept-existing.'
    default:
      return undefined
  }
}
