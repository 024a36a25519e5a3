import type { Dependency } from '@einvoicing/proto/readiness'
import { SettingsError } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import {
  checkDependencies,
  unavailableEssentials,
  presentReadiness,
  selfCheck,
  type Probe,
} from './readiness'
import { ApiError } from '@einvoicing/domain/api-error'
import type { Call } from './call'

const log = createLog('silent')
const call = (withinMs = 1_000): Call => ({
  caller: { service: 'gateway', actor: 'service:gateway' },
  requestId: 'r',
  deadline: Date.now() + withinMs,
})
const well = (name: string, essential = true): Probe => ({ name, essential, check: async () => {} })
const failing = (name: string, error: Error): Probe => ({
  name,
  essential: true,
  check: () => Promise.reject(error),
})
const service = (name: string, essential: boolean, dependencies: Dependency[]): Probe => ({
  name,
  essential,
  check: async () => ({ dependencies }),
})

afterEach(() => jest.useRealTimers())

test('names what is unavailable or misconfigured, and logs why', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const sentence = 'PKCS11_PIN_FILE cannot be read: ENOENT /run/secrets/pin'
  const wrong = new SettingsError([sentence])
  const probes = [
    well('nats', false),
    failing('mongodb', new Error('mongodb://user:hunter2@host')),
    failing('s3', new ApiError('SERVICE_UNAVAILABLE', 'away', { cause: wrong })),
  ]
  expect(await checkDependencies(probes, { call: call(), log })).toEqual({
    dependencies: [
      { name: 'nats', essential: false, problem: '' },
      { name: 'mongodb', essential: true, problem: 'is not available' },
      { name: 's3', essential: true, problem: 'cannot be used as it is configured: see the log' },
    ],
  })
  const misconfigured = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'error')
  expect(misconfigured).toMatchObject({ dependency: 's3', setting: sentence })
})

test('a service waits for essential dependencies; others do not stop its callers', async () => {
  const unreachable = (name: string, essential: boolean) => ({
    name,
    essential,
    problem: 'unreachable',
  })
  const probes = [
    service('invoices', true, [unreachable('mongodb', true), unreachable('nats', false)]),
    service('artefacts', false, [unreachable('s3', true)]),
  ]
  const found = await checkDependencies(probes, { call: call(), log })
  expect(unavailableEssentials(found).map(({ name, problem }) => `${name} ${problem}`)).toEqual([
    'invoices waits for mongodb',
    'mongodb unreachable',
  ])
  expect(presentReadiness(found)).toEqual({
    status: 'degraded',
    dependencies: {
      invoices: 'waits for mongodb',
      mongodb: 'unreachable',
      nats: 'unreachable',
      artefacts: 'waits for s3',
      s3: 'unreachable',
    },
  })
})

test('a dependency that several services report has its worst state', async () => {
  const probes = [
    service('organizations', true, [{ name: 'mongodb', essential: true, problem: '' }]),
    service('invoices', true, [{ name: 'mongodb', essential: true, problem: 'unreachable' }]),
  ]
  const { dependencies } = await checkDependencies(probes, { call: call(), log })
  expect(dependencies.filter(({ name }) => name === 'mongodb')).toEqual([
    { name: 'mongodb', essential: true, problem: 'unreachable' },
  ])
})

test('a dependency that does not answer is reported before the caller’s deadline', async () => {
  jest.useFakeTimers()
  const silent: Probe = { name: 'bus', essential: true, check: () => new Promise(() => {}) }
  const withinMs = 500
  const answered = jest.fn()
  void checkDependencies([silent], { call: call(withinMs), log }).then(answered)
  await jest.advanceTimersByTimeAsync(withinMs - 1)
  expect(answered).toHaveBeenCalledWith({
    dependencies: [{ name: 'bus', essential: true, problem: 'is not available' }],
  })
})

test('concurrent requests cause one query', async () => {
  let checks = 0
  const check = selfCheck('invoices', async () => {
    checks += 1
    await new Promise((resolve) => setTimeout(resolve, 20))
    return { dependencies: [] }
  })
  await Promise.all([check(), check(), check()])
  expect(checks).toBe(1)
  await check()
  expect(checks).toBe(2)
})
