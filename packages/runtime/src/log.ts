import pino, { type DestinationStream, type Logger } from 'pino'

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

const secrets = ['authorization', 'cookie', 'password', 'key', 'apiKey', 'pin', 'callerSecrets']
// pino redacts only listed depths, and each costs on every line; nothing we log nests deeper.
const depths = ['', '*.']

export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: depths.flatMap((depth) => secrets.map((name) => depth + name)),
        censor: '…',
      },
    },
    destination ?? pino.destination(1),
  )
}
