import { EnvReader, SettingsError } from '@einvoicing/runtime/env'
import { readArchiveConfig, readArtefactsConfig } from './config'

const whole = {
  S3_URL: 'http://127.0.0.1:9000/',
  S3_BUCKET: 'archive',
  S3_ACCESS_KEY: 'einvoicing',
  S3_SECRET_KEY_FILE: '/run/secrets/s3',
}

function findProblems(variables: NodeJS.ProcessEnv, dataDir?: string): readonly string[] {
  const env = new EnvReader(variables)
  readArtefactsConfig(env, dataDir)
  try {
    env.throwErrors()
  } catch (error) {
    if (error instanceof SettingsError) return error.messages
    throw error
  }
  return []
}

it('is stored in the data folder', () => {
  const config = readArchiveConfig(new EnvReader({}), '/var/lib/einvoicing')
  expect(config).toEqual({ kind: 'filesystem', directory: '/var/lib/einvoicing/artefacts' })
})

it('is stored in a bucket when a server is set', () => {
  const s3 = {
    kind: 's3',
    url: 'http://127.0.0.1:9000',
    bucket: 'archive',
    region: 'us-east-1',
    accessKey: 'einvoicing',
    secretKeyFile: '/run/secrets/s3',
  }
  expect(readArchiveConfig(new EnvReader(whole), undefined)).toEqual(s3)
  const elsewhere = new EnvReader({ ...whole, S3_REGION: 'eu-west-3' })
  expect(readArchiveConfig(elsewhere, '/data')).toEqual({ ...s3, region: 'eu-west-3' })
})

it('requires a setting, and names it', () => {
  expect(findProblems({})).toEqual([expect.stringMatching(/S3_URL is not set.*DATA_DIR/)])
})

it.each(Object.keys(whole))(
  'rejects settings of a bucket without %s, with and without a data folder',
  (name) => {
    const problems = findProblems({ ...whole, [name]: undefined }, '/data')
    expect(problems).toEqual([expect.stringMatching(`^${name} is not set`)])
  },
)

it('reports all missing settings together', () => {
  expect(findProblems({ S3_BUCKET: 'archive' }, '/data')).toHaveLength(3)
})

it.each(['https://s3.example.com', 'http://minio:9000', 'http://[::1]:9000', 'https://10.0.0.1'])(
  'accepts %s',
  (url) => {
    expect(findProblems({ ...whole, S3_URL: url })).toEqual([])
  },
)

it.each([
  'ftp://a',
  'http://user:s3cret@host:9000',
  'http://host:9000/bucket',
  'http://host?x=1',
  'host:9000',
])('rejects %s and reveals no secret', (url) => {
  const problems = findProblems({ ...whole, S3_URL: url })
  expect(problems).toEqual([expect.stringMatching(/^S3_URL must be/)])
  expect(problems.join()).not.toContain('s3cret')
})

it.each(['ab', 'Archive', 'a_b_c', 'a/b/c', '-abc', 'abc-', 'x'.repeat(64)])(
  'refuses the bucket %s',
  (bucket) => {
    const problems = findProblems({ ...whole, S3_BUCKET: bucket })
    expect(problems).toEqual([expect.stringMatching(/^S3_BUCKET must be/)])
  },
)

it.each([
  [{}, undefined, { file: undefined, isOptional: true }],
  [{}, '/data', { file: '/data/signer/trusted-certificate.pem', isOptional: true }],
  [
    { TRUSTED_CERTIFICATES_FILE: '/trust/ca.pem' },
    '/data',
    { file: '/trust/ca.pem', isOptional: false },
  ],
])('reads trusted certificates with %j and the data folder %s', (settings, dataDir, trust) => {
  const env = new EnvReader({ ...settings, S3_URL: '' })
  expect(readArtefactsConfig(env, dataDir).trust).toEqual(trust)
})

describe('the time-stamp authority', () => {
  const readEvidence = (variables: NodeJS.ProcessEnv, inside?: object) =>
    readArtefactsConfig(new EnvReader(variables), '/data', inside).evidence
  const live = {
    TSA_URL: 'https://tsa.example.com/',
    TSA_TRUSTED_CERTIFICATES_FILE: '/trust/tsa.pem',
  }

  it('is absent unless one is set or a sandbox runs', () => {
    expect(readEvidence({})).toBeUndefined()
    const sandboxTsaUrl = 'http://127.0.0.1:8090/tsa'
    const sandbox = readEvidence({}, { environment: 'test', sandboxTsaUrl })
    expect(sandbox).toMatchObject({ level: 'LTA', timeStamps: { url: sandboxTsaUrl } })
    const own = readEvidence({ ...live, EVIDENCE_LEVEL: 'B' }, { sandboxTsaUrl })
    expect(own).toMatchObject({ level: 'B', timeStamps: { url: 'https://tsa.example.com' } })
  })

  it('reads level settings and when certificates and algorithms are renewed', () => {
    const levels = (level: string) => readEvidence({ ...live, EVIDENCE_LEVEL: level })?.level
    expect(['B', 'T', 'LT', 'LTA'].map(levels)).toEqual(['B', 'T', 'LT', 'LTA'])
    const set = {
      ...live,
      REVOCATION_FILES: '/crl/one.pem, /crl/two.der',
      EVIDENCE_RENEW_BEFORE_DAYS: '30',
      EVIDENCE_ALGORITHM_ENDS: 'sha256=2035-01-01, rsa3072=2028-01-01',
    }
    expect(readEvidence(set)).toMatchObject({
      revocations: { files: ['/crl/one.pem', '/crl/two.der'] },
      renewal: {
        beforeDays: 30,
        algorithmEnds: { sha256: '2035-01-01', rsa3072: '2028-01-01', rsa2048: '2029-01-01' },
      },
    })
    expect(readEvidence(live)?.renewal.beforeDays).toBe(365)
  })

  it.each([
    [{ TSA_URL: live.TSA_URL }, 'TSA_TRUSTED_CERTIFICATES_FILE is not set'],
    [{ ...live, TSA_URL: 'ftp://tsa' }, 'TSA_URL must be a URL'],
    [{ ...live, TSA_URL: 'https://a:b@tsa' }, 'TSA_URL must not contain a user or password'],
    [{ ...live, TSA_USERNAME: 'us' }, 'TSA_USERNAME and TSA_PASSWORD_FILE go together'],
    [{ ...live, TSA_POLICY: 'ours' }, 'TSA_POLICY must be an object identifier'],
    [{ ...live, TSA_HASH: 'sha1' }, 'TSA_HASH must be one of sha256, sha512'],
    [{ ...live, EVIDENCE_LEVEL: 'X' }, 'EVIDENCE_LEVEL must be one of B, T, LT, LTA'],
    [{ ...live, EVIDENCE_RENEW_BEFORE_DAYS: '0' }, 'EVIDENCE_RENEW_BEFORE_DAYS must be'],
    [{ ...live, EVIDENCE_ALGORITHM_ENDS: 'md5=2030-01-01' }, 'EVIDENCE_ALGORITHM_ENDS must be'],
    [{ ...live, EVIDENCE_ALGORITHM_ENDS: 'sha256=soon' }, 'EVIDENCE_ALGORITHM_ENDS must be'],
  ])('%j is a wrong setting', (variables, message) => {
    expect(findProblems(variables, '/data')).toEqual([expect.stringContaining(message)])
  })
})
