import { readConfig } from './config'

const platform = { CLEARANCE_URL: 'https://platform.example' }

it.each([
  ['the simulator inside', {}, 'test'],
  ['a platform that is named', platform, 'live'],
  ['a sandbox that is named', { ...platform, ENVIRONMENT: 'test' }, 'test'],
])('the environment follows from %s', (_what, variables, environment) => {
  const { gateway, artefacts } = readConfig(variables)
  expect([gateway.environment, artefacts.environment]).toEqual([environment, environment])
})

it('is never live with the simulator', () => {
  expect(() => readConfig({ ENVIRONMENT: 'live' })).toThrow(
    'ENVIRONMENT is live, but CLEARANCE_URL names no platform',
  )
})

it.each(['production', 'LIVE', 'sandbox'])('rejects ENVIRONMENT=%s', (environment) => {
  expect(() => readConfig({ ...platform, ENVIRONMENT: environment })).toThrow(
    `ENVIRONMENT must be one of test, live, not "${environment}"`,
  )
})
