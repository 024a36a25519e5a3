import { EnvReader, type SettingsError } from './env'
import { readTraceConfig } from './trace-config'

const read = (environment: Record<string, string>) => {
  const env = new EnvReader(environment)
  const config = readTraceConfig(env)
  env.throwErrors()
  return config
}

const findProblems = (environment: Record<string, string>) => {
  try {
    read(environment)
  } catch (error) {
    return (error as SettingsError).messages
  }
  return []
}

const at = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }

test('off unless a collector is named', () => {
  expect(read({})).toBeUndefined()
  expect(read(at)).toEqual({
    url: 'http://collector:4318/v1/traces',
    headersFile: undefined,
    sampler: 'parentbased_always_on',
    ratio: 1,
    scheduleDelayMs: 1_000,
  })
})

test.each(['0', '1', '0.25', '.5', '1.0'])('a share of %s is accepted', (ratio) => {
  expect(read({ ...at, OTEL_TRACES_SAMPLER_ARG: ratio })?.ratio).toBe(Number(ratio))
})

test.each(['-0.1', '1.1', '50%', 'all'])('a share of %s is rejected', (ratio) => {
  expect(findProblems({ ...at, OTEL_TRACES_SAMPLER_ARG: ratio })).toEqual([
    `OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, not "${ratio}"`,
  ])
})

test('headers are taken from a file alone', () => {
  const problems = findProblems({ ...at, OTEL_EXPORTER_OTLP_HEADERS: 'key=s3cret' })
  expect(problems.join()).toMatch(/write it to a file.*OTEL_EXPORTER_OTLP_HEADERS_FILE/)
  expect(problems.join()).not.toContain('s3cret')
})
