import { algorithmEnds } from '@einvoicing/verification/algorithm-ends'
import { rsa, TestAuthority } from '@einvoicing/verification/testdata/long-term'
import { computeRenewBy, findEnd } from './renew-by'

const config = { beforeDays: 365, algorithmEnds }
const retainUntil = new Date('2037-01-01')
const withEnds = (ends: Record<string, string>) => ({ ...config, algorithmEnds: ends })

test.each([
  ['of RSA', { algorithm: rsa, stampAlgorithm: rsa }, '2028-01-02'],
  ['of RSA, issued by ECDSA', { stampAlgorithm: rsa }, '2028-01-02'],
  ['of ECDSA, issued by RSA', { algorithm: rsa }, '2028-01-02'],
  ['of ECDSA, issued by ECDSA', {}, '2035-01-01'],
])('a stamp %s is renewed a year before its first end', async (_, algorithms, renewBy) => {
  const authority = await TestAuthority.make(algorithms)
  const stamp = { token: authority.stamp(), certificate: authority.stamper }
  expect(computeRenewBy(stamp, config, retainUntil)).toEqual(new Date(renewBy))
  expect(computeRenewBy(stamp, config, new Date(renewBy))).toBeUndefined()
})

test.each([
  ['P-256', 'ecp256', 'SHA-256', 'sha256'],
  ['P-384', 'ecp384', 'SHA-384', 'sha384'],
  ['P-521', 'ecp521', 'SHA-512', 'sha512'],
])('the end of the key on %s and of the hash of the issuer counts', async (curve, ...names) => {
  const [key, hash, hashName] = names
  const algorithm = { name: 'ECDSA', namedCurve: curve, hash }
  const { stamper } = await TestAuthority.make({ algorithm, stampAlgorithm: rsa })
  for (const name of [key, hashName]) {
    expect(findEnd(stamper, [], withEnds({ [name]: '2030-01-01' }))).toEqual(new Date('2030-01-01'))
  }
  const others = ['ecp256', 'ecp384', 'ecp521'].filter((name) => name !== key)
  const ends = Object.fromEntries(others.map((name) => [name, '2030-01-01']))
  expect(findEnd(stamper, [], withEnds(ends))).toEqual(new Date(stamper.validTo))
})
