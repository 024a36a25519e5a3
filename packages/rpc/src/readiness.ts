// Reports unavailable dependencies; only essential ones make a process unready.

import { serviceCaller } from './caller'
import { randomUUID } from 'node:crypto'
import type { Dependency, Readiness } from '@einvoicing/proto/readiness'
import { Gauge } from 'prom-client'
import type { ServiceName } from './service-name'
import { within } from '@einvoicing/runtime/deadline'
import { SettingsError } from '@einvoicing/runtime/env'
import type { Log } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { pollEvery, type Poll } from '@einvoicing/runtime/poll'
import { nextCall, type Call } from './call'

const up = new Gauge({
  name: 'einvoicing_dependency_up',
  help: '1 if a dependency, or a dependency of it, passed its last check, else 0; absent while unknown',
  labelNames: ['dependency', 'essential'] as const,
  registers: [metrics],
})

export interface Probe {
  name: string
  essential: boolean
  /** Rejects when it is unavailable; a service returns its own readiness. */
  check(call: Call): Promise<Readiness | void>
}

const misconfigured = 'cannot be used as it is configured: see the log'
const checkMs = 2_500
const checkEveryMs = 15_000
// So that the caller still learns which dependency did not answer.
const answerMarginMs = 300

/** The reason is only logged: an error may name files, hosts and values of settings. */
export async function checkDependencies(
  probes: readonly Probe[],
  { call, log }: { call: Call; log: Log },
): Promise<Readiness> {
  const probeCall = nextCall(call, call.caller.service, call.deadline - Date.now() - answerMarginMs)
  const answers = await Promise.all(probes.map((probe) => checkProbe(probe, probeCall, log)))
  return { dependencies: mergeByName(answers.flat()) }
}

/** For `/readyz`: concurrent requests share one check. */
export function selfCheck(
  service: ServiceName,
  check: (call: Call) => Promise<Readiness>,
): () => Promise<Readiness> {
  let running: Promise<Readiness> | undefined
  const caller = serviceCaller(service)
  return () =>
    (running ??= check({
      caller,
      requestId: randomUUID(),
      deadline: Date.now() + checkMs,
    })
      .then(recordReadiness)
      .finally(() => (running = undefined)))
}

export function watchReadiness(readiness: () => Promise<Readiness>): Poll {
  return pollEvery(checkEveryMs, async () => {
    // The check itself reports what is unavailable.
    await readiness().catch(() => undefined)
  })
}

function recordReadiness(readiness: Readiness): Readiness {
  up.reset()
  for (const { name, essential, problem } of readiness.dependencies) {
    up.set({ dependency: name, essential: String(essential) }, problem === '' ? 1 : 0)
  }
  return readiness
}

export function unavailableEssentials({ dependencies }: Readiness): Dependency[] {
  return dependencies.filter(({ essential, problem }) => essential && problem !== '')
}

export function presentReadiness({ dependencies }: Readiness): {
  status: 'ready' | 'degraded'
  dependencies: Record<string, string>
} {
  return {
    status: dependencies.every(({ problem }) => problem === '') ? 'ready' : 'degraded',
    dependencies: Object.fromEntries(
      dependencies.map(({ name, problem }) => [name, problem || 'ok']),
    ),
  }
}

async function checkProbe(probe: Probe, call: Call, log: Log): Promise<Dependency[]> {
  const { name, essential } = probe
  try {
    const answer = await answerBefore(call.deadline, probe.check(call))
    const dependencies = answer?.dependencies ?? []
    const missing = unavailableEssentials({ dependencies }).map((dependency) => dependency.name)
    const problem = missing.length > 0 ? `waits for ${missing.join(', ')}` : ''
    const needed = dependencies.map((other) => ({
      ...other,
      essential: essential && other.essential,
    }))
    return [{ name, essential, problem }, ...needed]
  } catch (err) {
    const setting = findSettingsError(err)
    if (setting === undefined) log.warn({ err, dependency: name }, 'dependency is unavailable')
    else log.error({ err, dependency: name, setting }, 'dependency is misconfigured')
    const problem = setting === undefined ? 'is not available' : misconfigured
    return [{ name, essential, problem }]
  }
}

function mergeByName(dependencies: readonly Dependency[]): Dependency[] {
  const badness = ({ essential, problem }: Dependency) => (problem ? 2 : 0) + (essential ? 1 : 0)
  const worst = new Map<string, Dependency>()
  for (const dependency of dependencies) {
    const seen = worst.get(dependency.name)
    if (!seen || badness(dependency) > badness(seen)) worst.set(dependency.name, dependency)
  }
  return [...worst.values()]
}

function findSettingsError(error: unknown): string | undefined {
  if (error instanceof SettingsError) return error.message
  return error instanceof Error && error.cause ? findSettingsError(error.cause) : undefined
}

function answerBefore<T>(deadline: number, answer: Promise<T>): Promise<T> {
  const waitMs = Math.max(0, deadline - Date.now())
  return within(waitMs, answer, () => new Error(`no answer in ${waitMs} ms`))
}
