import { EnvReader } from '@einvoicing/runtime/env'
import { readSignerConfig } from './config'

it('stores a P-256 key in the data folder by default', () => {
  expect(readSignerConfig(new EnvReader({}), '/data')).toEqual({
    kind: 'software',
    directory: '/data/signer',
    algorithm: 'ecp256',
  })
})

it.each(['ecp256', 'rsa2048', 'rsa3072'])('accepts %s', (algorithm) => {
  const env = new EnvReader({ SIGNER_KEY_ALGORITHM: algorithm })
  expect(readSignerConfig(env, '/data')).toMatchObject({ algorithm })
  expect(() => env.throwErrors()).not.toThrow()
})

it('lists the algorithms', () => {
  const env = new EnvReader({ SIGNER_KEY_ALGORITHM: 'rsa1024' })
  readSignerConfig(env, '/data')
  expect(() => env.throwErrors()).toThrow(
    'SIGNER_KEY_ALGORITHM must be one of ecp256, rsa2048, rsa3072, not "rsa1024"',
  )
})

describe('with a token', () => {
  const token = {
    PKCS11_MODULE: '/usr/lib/softhsm/libsofthsm2.so',
    PKCS11_TOKEN_LABEL: 'einvoicing',
    PKCS11_PIN_FILE: '/run/secrets/pin',
    PKCS11_KEY_ID: '01AB',
  }

  it('uses its key, with or without a data folder', () => {
    const env = new EnvReader(token)
    expect(readSignerConfig(env, undefined)).toEqual({
      kind: 'pkcs11',
      module: '/usr/lib/softhsm/libsofthsm2.so',
      pinFile: '/run/secrets/pin',
      token: {
        tokenLabel: 'einvoicing',
        key: { label: undefined, id: '01ab' },
        sessions: 4,
        certificateFile: undefined,
      },
      trustedCertificateFile: undefined,
    })
    expect(readSignerConfig(env, '/data')).toMatchObject({
      trustedCertificateFile: '/data/signer/trusted-certificate.pem',
    })
    expect(() => env.throwErrors()).not.toThrow()
  })

  it('reports everything missing or invalid in it together', () => {
    const env = new EnvReader({ PKCS11_TOKEN_LABEL: 'x', PKCS11_SESSIONS: '0' })
    readSignerConfig(env, '/data')
    expect(() => env.throwErrors()).toThrow(
      [
        'PKCS11_SESSIONS must be an integer from 1 to 64, not "0"',
        'PKCS11_KEY_LABEL is not set: a key in a token needs its label, or PKCS11_KEY_ID, or both',
        "PKCS11_MODULE is not set: a key in a token needs the path of its vendor's PKCS#11 library",
        'PKCS11_PIN_FILE is not set: a key in a token needs a file with its user PIN',
      ].join('\n'),
    )
  })

  it.each(['1', '0x01', 'signing-key'])('rejects %s as a CKA_ID', (id) => {
    const env = new EnvReader({ ...token, PKCS11_KEY_ID: id })
    readSignerConfig(env, '/data')
    expect(() => env.throwErrors()).toThrow(/^PKCS11_KEY_ID must be the CKA_ID of the key in hexa/)
  })

  it('never falls back to a key file', () => {
    const env = new EnvReader({ PKCS11_KEY_LABEL: 'invoices' })
    expect(readSignerConfig(env, '/data').kind).toBe('pkcs11')
    expect(() => env.throwErrors()).toThrow(/PKCS11_MODULE is not set/)
  })
})

it('requires a token or a folder', () => {
  const env = new EnvReader({})
  readSignerConfig(env, undefined)
  expect(() => env.throwErrors()).toThrow(
    /^PKCS11_MODULE is not set: .* or set DATA_DIR to store a key/,
  )
})
