/** Our authority judged by OpenSSL, its authority by us, and each thing that may be wrong. */

import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isTrusted } from '../certificate-chain'
import { readExtension } from '../certificate-fields'
import {
  contextTag,
  readChildren,
  readElement,
  tags,
  writeElement,
  writeInteger,
  writeSequence,
  writeSet,
} from '../der'
import { checkToken, TimeStampError, type Stamped } from './check-token'
import { issueToken, writeRejection, writeResponse, type TimeStampAuthority } from './issue-token'
import { decodeRequest, encodeRequest, type TimeStampRequest } from './request'
import { readResponse } from './response'
import { parseToken } from './token'

const folder = mkdtempSync(path.join(tmpdir(), 'stamps-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const openssl = (...args: string[]) =>
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString()

const usage = 'critical,timeStamping'

function makeAuthority(name: string, extendedKeyUsage = usage): TimeStampAuthority {
  const subject = (kind: string) => `/C=MA/O=Tests/CN=${name} ${kind}`
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(
    ...[
      'req',
      '-x509',
      ...key,
      '-subj',
      subject('root'),
      '-days',
      '9',
      '-keyout',
      `${name}-root.key`,
    ],
    ...['-out', `${name}-root.pem`, '-addext', 'basicConstraints=critical,CA:TRUE'],
  )
  openssl('req', ...key, '-subj', subject('TSA'), '-keyout', `${name}.key`, '-out', `${name}.csr`)
  const extensions = ['subjectKeyIdentifier=hash', `extendedKeyUsage=${extendedKeyUsage}`]
  writeFileSync(at(`${name}.ext`), extensions.join('\n'))
  openssl(
    ...[
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      `${name}-root.pem`,
      '-CAkey',
      `${name}-root.key`,
    ],
    ...['-set_serial', '77', '-days', '8', '-extfile', `${name}.ext`, '-out', `${name}.pem`],
  )
  return {
    privateKey: createPrivateKey(readFileSync(at(`${name}.key`))),
    certificates: [new X509Certificate(readFileSync(at(`${name}.pem`)))],
    policy: '1.3.6.1.4.1.9999.1',
  }
}

const authority = makeAuthority('ours')
const root = new X509Certificate(readFileSync(at('ours-root.pem')))
const data = Buffer.from('<ds:SignatureValue>…</ds:SignatureValue>')
const digest = createHash('sha256').update(data).digest()
const request: TimeStampRequest = { hash: 'sha256', digest, nonce: 0x8f00_0000_0000_0001n }
const now = new Date()
const issue = { time: now, serialNumber: 12n }
const stamped: Stamped = {
  hash: 'sha256',
  digest,
  nonce: request.nonce,
  now,
  isTrusted: (certificates, time) => isTrusted({ certificates, trusted: [root], at: time }),
}

test('OpenSSL reads our request, and we read it back', () => {
  writeFileSync(at('request.tsq'), encodeRequest({ ...request, policy: '1.3.6.1.4.1.9999.1' }))
  expect(openssl('ts', '-query', '-in', 'request.tsq', '-text')).toMatch(
    /Hash Algorithm: sha256[\s\S]*Policy OID: 1\.3\.6\.1\.4\.1\.9999\.1[\s\S]*Nonce: 0x8F00000000000001/,
  )
  expect(decodeRequest(encodeRequest(request))).toEqual({ ...request, policy: undefined })
})

test('OpenSSL verifies our token', () => {
  const token = issueToken(request, authority, issue)
  writeFileSync(at('data'), data)
  writeFileSync(at('ours.tsr'), writeResponse(token))
  expect(
    openssl('ts', '-verify', '-data', 'data', '-in', 'ours.tsr', '-CAfile', 'ours-root.pem'),
  ).toContain('Verification: OK')
  expect(readResponse(readFileSync(at('ours.tsr')))).toEqual(token)
})

test("we verify OpenSSL's token", () => {
  const config = [
    '[tsa]\ndefault_tsa = one\n[one]',
    `serial = ${at('serial')}\nsigner_cert = ${at('ours.pem')}\nsigner_key = ${at('ours.key')}`,
    'signer_digest = sha256\ndefault_policy = 1.3.6.1.4.1.9999.1\ndigests = sha256, sha512',
    'accuracy = secs:1\nordering = yes\ntsa_name = yes\ness_cert_id_alg = sha256',
  ]
  writeFileSync(at('tsa.cnf'), config.join('\n'))
  writeFileSync(at('serial'), '0A\n')
  writeFileSync(at('request.tsq'), encodeRequest(request))
  openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'request.tsq', '-out', 'theirs.tsr')
  const token = readResponse(readFileSync(at('theirs.tsr')))
  const later = { ...stamped, now: new Date() }
  expect(checkToken(token, later).info).toMatchObject({ digest, policy: '1.3.6.1.4.1.9999.1' })
})

describe('the key that a token names', () => {
  const token = issueToken(request, authority, issue)
  const naming = (identifier: Buffer) => {
    const [type, content] = readChildren(readElement(token), tags.sequence)
    const [signedData] = readChildren(content, contextTag(0))
    const parts = readChildren(signedData, tags.sequence).map(({ bytes }) => bytes)
    const [signer] = readChildren(readElement(parts.pop()!), tags.set)
    const [, , ...fields] = readChildren(signer, tags.sequence).map(({ bytes }) => bytes)
    const changed = writeSequence(writeInteger(3n), writeElement(0x80, identifier), ...fields)
    const data = writeSequence(...parts, writeSet(changed))
    return writeSequence(type!.bytes, writeElement(contextTag(0), data))
  }
  const own = readExtension(authority.certificates[0], '2.5.29.14')!.value.subarray(2)

  test('is that of the certificate', () => {
    expect(checkToken(naming(own), stamped).info.time).toEqual(now)
  })

  test.each([
    ['no octet', Buffer.alloc(0)],
    ['a part of it', own.subarray(1)],
    ['other octets of the certificate', Buffer.from('ours TSA')],
  ])('is not %s', (_, identifier) => {
    expect(() => checkToken(naming(identifier), stamped)).toThrow(
      'the time stamp names a certificate other than the one that signed it',
    )
  })
})

describe('a token is not accepted', () => {
  const token = issueToken(request, authority, issue)
  const issuedBy = (name: string, extendedKeyUsage?: string) =>
    issueToken(request, makeAuthority(name, extendedKeyUsage), issue)
  const hour = 3_600_000

  const wrong: [string, () => Buffer, Partial<Stamped>, RegExp][] = [
    ['of another digest', () => token, { digest: Buffer.alloc(32) }, /another digest/],
    ['of another hash', () => token, { hash: 'sha512' }, /another digest/],
    ['of another request', () => token, { nonce: 1n }, /nonce differs/],
    ['of another policy', () => token, { policy: '1.2.3' }, /policy 1\.3\.6\.1\.4\.1\.9999\.1/],
    ['from the future', () => token, { now: new Date(+now - 60_001) }, /from the future/],
    ['too old', () => token, { notBefore: new Date(+now + 60_001) }, /too old/],
    ['of an authority not trusted', () => issuedBy('other'), {}, /no trusted authority/],
    [
      'of a certificate for more',
      () => issuedBy('more', `${usage},clientAuth`),
      {},
      /not restricted to time stamps/,
    ],
    [
      'whose usage is not critical',
      () => issuedBy('loose', 'timeStamping'),
      {},
      /not restricted to time stamps/,
    ],
    ['inside its answer', () => writeResponse(token), {}, /cannot be read/],
    ['followed by a byte', () => Buffer.concat([token, Buffer.from([0])]), {}, /cannot be read/],
    [
      'after its certificate ended',
      () => issueToken(request, authority, { ...issue, time: new Date(+now + 10 * 24 * hour) }),
      { now: new Date(+now + 10 * 24 * hour) },
      /no trusted authority/,
    ],
  ]
  test.each(wrong)('%s', (_, make, changes, message) => {
    expect(() => checkToken(make(), { ...stamped, ...changes })).toThrow(TimeStampError)
    expect(() => checkToken(make(), { ...stamped, ...changes })).toThrow(message)
  })

  test('on both sides of the tolerance of a minute', () => {
    for (const changes of [
      { now: new Date(+now - 60_000) },
      { notBefore: new Date(+now + 60_000) },
    ]) {
      expect(checkToken(token, { ...stamped, ...changes }).info.time).toEqual(now)
    }
  })

  test('with any byte changed', () => {
    const unsigned = new Set<number>()
    for (let index = 0; index < token.length; index += 1) {
      const changed = Buffer.from(token)
      changed[index]! ^= 0x04
      try {
        checkToken(changed, stamped)
        unsigned.add(index)
      } catch (error) {
        expect(error).toBeInstanceOf(TimeStampError)
      }
    }
    // CMS leaves versions, the set of digest algorithms and the signer's identifier unsigned; the
    // signed attribute names the certificate.
    const { attributeBytes, signature } = parseToken(token).signer
    const signedAt = token.indexOf(attributeBytes.subarray(1))
    for (const [start, length] of [
      [signedAt, attributeBytes.length - 1],
      [token.indexOf(signature), signature.length],
      [token.indexOf(digest), digest.length],
    ] as const) {
      for (let index = start; index < start + length; index += 1) {
        expect([index, unsigned.has(index)]).toEqual([index, false])
      }
    }
  })

  test('that the authority did not give', () => {
    expect(() => readResponse(writeRejection('no more today'))).toThrow(
      'the authority issued no time stamp: no more today',
    )
    expect(() => readResponse(Buffer.from('<html>'))).toThrow('the answer is not a time stamp')
  })
})
