/** OpenTelemetry's own names. Off without an endpoint. */

import type { EnvReader } from './env'

export interface TraceConfig {
  /** OTLP over HTTP, in JSON. */
  url: string
  /** One `name=value` a line, such as the collector's API key. */
  headersFile: string | undefined
  sampler: Sampler
  /** In [0, 1]: the share of new traces that is sampled. */
  ratio: number
  /** Spans are gathered for this long. */
  scheduleDelayMs: number
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type Sampler = (typeof samplers)[number]

export function readTraceConfig(env: EnvReader): TraceConfig | undefined {
  const endpoint = env.optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'])
  const headersFile = env.secretFile('OTEL_EXPORTER_OTLP_HEADERS_FILE')
  const sampler = env.oneOf('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on')
  const ratio = readRatio(env)
  const scheduleDelayMs = env.integer('OTEL_BSP_SCHEDULE_DELAY', 1_000, { min: 10, max: 60_000 })
  // The exporter would read it by itself.
  if (env.optionalText('OTEL_EXPORTER_OTLP_HEADERS') !== undefined) {
    env.addError(
      'OTEL_EXPORTER_OTLP_HEADERS may contain a secret: write it to a file and set OTEL_EXPORTER_OTLP_HEADERS_FILE',
      undefined,
    )
  }
  // OTLP exporter specification: the signal's path is appended to the endpoint.
  return endpoint === undefined
    ? undefined
    : { url: `${endpoint}/v1/traces`, headersFile, sampler, ratio, scheduleDelayMs }
}

function readRatio(env: EnvReader): number {
  const text = env.text('OTEL_TRACES_SAMPLER_ARG', '1')
  if (/^\d*\.?\d+$/.test(text) && Number(text) <= 1) return Number(text)
  return env.addError(`OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, not "${text}"`, 1)
}
