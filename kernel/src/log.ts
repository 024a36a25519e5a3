/** Structured logs (pino): one JSON object a line, never a key, a password or a body. */

import pino, { type Logger } from 'pino'

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export function createLog(level: LogLevel): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: ['*.authorization', '*.cookie', '*.password', '*.key', '*.pin'], censor: '…' },
  })
}
