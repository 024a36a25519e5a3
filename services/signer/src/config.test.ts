import { EnvReader } from '@einvoicing/kernel/env'
import { readSignerConfig } from './config'

it('keeps a P-256 key in the data folder when nothing is said', () => {
  expect(readSignerConfig(new EnvReader({}), '/data')).toEqual({
    kind: 'software',
    directory: '/data/signer',
    algorithm: 'ecp256',
  })
})

it.each(['ecp256', 'rsa2048', 'rsa3072'])('takes %s', (algorithm) => {
  const env = new EnvReader({ SIGNER_KEY_ALGORITHM: algorithm })
  expect(readSignerConfig(env, '/data')).toMatchObject({ algorithm })
  expect(() => env.settle()).not.toThrow()
})

it('tells which algorithms there are', () => {
  const env = new EnvReader({ SIGNER_KEY_ALGORITHM: 'rsa1024' })
  readSignerConfig(env, '/data')
  expect(() => env.settle()).toThrow(
    'SIGNER_KEY_ALGORITHM must be one of ecp256, rsa2048, rsa3072, not "rsa1024"',
  )
})
