import { EinvoicingError } from '@einvoicing/client'
import { describeFileError } from './file-error'
import { escapeControls, withoutKeys, type Terminal } from './terminal'

export const exitCodes = {
  done: 0,
  /** An error from the service, or a document that is REJECTED, FAILED or not valid. */
  refused: 1,
  usage: 2,
  /** Temporary: the same command may succeed later. */
  temporary: 3,
  /** The request may have succeeded, or there is no decision yet. */
  unknown: 4,
  interrupted: 130,
  /** As the shell has it for a signal: 128 + SIGPIPE. */
  readerEnded: 141,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  override readonly message = 'Interrupted before it finished.'
}

/** Prints the error and returns the exit code. Rethrows a defect of ours. */
export function printError(error: unknown, terminal: Terminal, isJson: boolean): ExitCode {
  const description = describeError(error)
  if (isJson) {
    const { code, message, exitCode: _, hint: __, ...properties } = description
    terminal.printMessage(JSON.stringify({ error: { code, message, ...properties } }))
    return description.exitCode
  }
  terminal.printMessage(
    `${terminal.styledError('red', description.code)}: ${escapeControls(description.message)}`,
  )
  for (const { field, message } of description.errors) {
    terminal.printMessage(
      `  ${terminal.styledError('bold', escapeControls(field))} ${escapeControls(message)}`,
    )
  }
  if (description.hint !== undefined) terminal.printMessage(description.hint)
  // Without a response the service's logs do not have the request.
  if (description.requestId !== undefined && description.status !== undefined) {
    terminal.printMessage(
      terminal.styledError('dim', `request ${escapeControls(description.requestId)}`),
    )
  }
  return description.exitCode
}

interface ErrorDescription {
  code: string
  message: string
  errors: readonly { field: string; message: string }[]
  status?: number | undefined
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  exitCode: ExitCode
  hint?: string | undefined
}

function describeError(error: unknown): ErrorDescription {
  if (error instanceof EinvoicingError) {
    const { code, message, errors, status, requestId, retryAfterSeconds } = error
    const properties = { code, message, errors, status, requestId, retryAfterSeconds }
    return { ...properties, exitCode: toExitCode(error), hint: findHint(error) }
  }
  if (error instanceof Interrupted) {
    const { message } = error
    return { code: 'INTERRUPTED', message, errors: [], exitCode: exitCodes.interrupted }
  }
  if (error instanceof UsageError || isSystemError(error)) {
    const text = isSystemError(error) ? describeFileError(error) : error.message
    const message = withoutKeys(text)
    return { code: 'USAGE', message, errors: [], exitCode: exitCodes.usage }
  }
  throw error
}

// Such as a missing file or a folder without write permission.
const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error

function toExitCode(error: EinvoicingError): ExitCode {
  if (error.code === 'OUTCOME_UNKNOWN' || error.code === 'NOT_FINAL') return exitCodes.unknown
  return error.isTemporary || error.code === 'NOT_THE_SERVICE'
    ? exitCodes.temporary
    : exitCodes.refused
}

function findHint({ code }: EinvoicingError): string | undefined {
  switch (code) {
    case 'UNREACHABLE':
    case 'NOT_THE_SERVICE':
      return 'Check the URL in EINVOICING_URL or --url.'
    case 'API_KEY_INVALID':
    case 'API_KEY_MISSING':
      return 'The key is read from --key-file, EINVOICING_API_KEY or EINVOICING_API_KEY_FILE. Create keys in the dashboard.'
    case 'OUTCOME_UNKNOWN':
      return 'To find out, run the command again with --accept-existing (create, credit-note), or see einvoicing status INVOICE (sign, cancel, resubmit).'
    default:
      return undefined
  }
}
