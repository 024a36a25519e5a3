import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import { readClearanceConfig } from './config'

const read = (variables: NodeJS.ProcessEnv) => {
  const env = new EnvReader(variables)
  const config = readClearanceConfig(env, 'http://127.0.0.1:8090')
  env.throwErrors()
  return config
}

it('uses the simulator and gives up after a day by default', () => {
  expect(read({})).toMatchObject({
    url: 'http://127.0.0.1:8090',
    giveUpAfterMs: 86_400_000,
    requestDeadlineMs: 10_000,
    inFlightMax: 32,
  })
})

it('reads every setting', () => {
  const config = read({
    CLEARANCE_URL: 'https://platform.example/clearance/',
    CLEARANCE_GIVE_UP_AFTER_SECONDS: '1',
    CLEARANCE_REQUEST_TIMEOUT_MS: '100',
    CLEARANCE_IN_FLIGHT_MAX: '1',
  })
  expect(config).toMatchObject({
    url: 'https://platform.example/clearance',
    giveUpAfterMs: 1_000,
    requestDeadlineMs: 100,
    inFlightMax: 1,
  })
})

it.each([
  ['CLEARANCE_URL', 'ftp://platform.example'],
  ['CLEARANCE_URL', 'platform.example'],
  ['CLEARANCE_URL', 'https://user:password@platform.example'],
  ['CLEARANCE_GIVE_UP_AFTER_SECONDS', '0'],
  ['CLEARANCE_GIVE_UP_AFTER_SECONDS', '2592001'],
  ['CLEARANCE_REQUEST_TIMEOUT_MS', '99'],
  ['CLEARANCE_REQUEST_TIMEOUT_MS', '60001'],
  ['CLEARANCE_IN_FLIGHT_MAX', '0'],
  ['CLEARANCE_IN_FLIGHT_MAX', '513'],
])('rejects %s=%s and names the setting', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(SettingsError)
  expect(() => read({ [name]: value })).toThrow(name)
})
