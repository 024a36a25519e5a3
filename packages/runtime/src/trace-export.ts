// Never blocks: ended spans wait in a bounded queue, and are dropped while the collector is slow.

import { randomUUID } from 'node:crypto'
import type { Tracer } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import { within } from './deadline'
import { SettingsError } from './env'
import type { Log } from './log'
import { Outage } from './outage'
import { readSecretFile } from './secret-file'
import type { TraceConfig } from './trace-config'
import { readVersion } from './version'

export interface TraceExport {
  tracer: Tracer
  close(): Promise<void>
}

const exportMs = 3_000
const flushMs = 4_000
const spansHeldMax = 8_192
const spansAtOnce = 512

export async function openTraceExport(
  config: TraceConfig,
  { service, log }: { service: string; log: Log },
): Promise<TraceExport> {
  const headers = await readHeaders(config.headersFile)
  const version = readVersion()
  const exporter = new OTLPTraceExporter({ url: config.url, headers, timeoutMillis: exportMs })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'einvoicing',
      'service.name': service,
      'service.version': version,
      'service.instance.id': randomUUID(),
    }),
    sampler: createSampler(config),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: withOutageLog(exporter, new URL(config.url).host, log),
        maxQueueSize: spansHeldMax,
        maxExportBatchSize: spansAtOnce,
        scheduledDelayMillis: config.scheduleDelayMs,
        exportTimeoutMillis: 2 * exportMs,
      }),
    ],
  })
  return {
    tracer: provider.getTracer('einvoicing', version),
    async close() {
      const late = () => new Error(`not done within ${flushMs / 1000} s`)
      // The outage is already logged, and spans may be lost.
      await within(flushMs, provider.shutdown(), late).catch(() => undefined)
    },
  }
}

function createSampler({ sampler, ratio }: TraceConfig): Sampler {
  const [root, isParentBased] = sampler.startsWith('parentbased_')
    ? [sampler.replace('parentbased_', ''), true]
    : [sampler, false]
  const own =
    root === 'always_on'
      ? new AlwaysOnSampler()
      : root === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return isParentBased ? new ParentBasedSampler({ root: own }) : own
}

function withOutageLog(exporter: SpanExporter, collector: string, log: Log): SpanExporter {
  const outage = new Outage({
    log,
    startMessage: 'trace collector unreachable, dropping spans',
    endMessage: 'trace collector reachable again',
  })
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) outage.failed(collector, { why: toReason(result.error), collector })
        else outage.recovered(collector)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}

function toReason({ message, ...error }: Error & { code?: unknown }): string {
  return message || String(error.code)
}

/** As in OTEL_EXPORTER_OTLP_HEADERS: `name=value`, separated by lines or commas. */
async function readHeaders(file: string | undefined): Promise<Record<string, string>> {
  if (file === undefined) return {}
  const setting = 'OTEL_EXPORTER_OTLP_HEADERS_FILE'
  const pairs = (await readSecretFile(setting, file)).split(/[\n,]/).map((pair) => pair.trim())
  const headers = pairs
    .filter(Boolean)
    .map((pair) => /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.+)$/.exec(pair))
  if (headers.every((header) => header !== null)) {
    return Object.fromEntries(headers.map(([, name = '', value = '']) => [name, unescaped(value)]))
  }
  // The value is not logged: it may be the secret.
  throw new SettingsError([
    `${setting}: ${file} must contain name=value pairs, separated by line breaks or commas`,
  ])
}

/** W3C Baggage: separators inside a value are percent-encoded. */
function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
