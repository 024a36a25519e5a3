import { X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { openPkcs11Key } from '../keys/pkcs11'
import { makeTestAuthority, openssl, type TestAuthority } from '../testdata/authority'
import { makeTestToken, pkcs11Tool, type TestToken } from '../testdata/token'

let authority: TestAuthority
beforeAll(async () => void (authority = await makeTestAuthority()))
const file = (name: string) => authority.file(name)

async function readChain(token: TestToken): Promise<string[]> {
  const key = await openPkcs11Key(token.config(), { log: createLog('silent') })
  const subjects = key.identity().certificates.map((der) => new X509Certificate(der).subject)
  await key.close()
  return subjects
}

describeWithOwn('softhsm', 'npm run key', () => {
  let token: TestToken
  beforeEach(async () => void (token = await makeTestToken()))
  afterEach(() => token.dispose())

  it.each([
    ['ecp256', /EC_POINT 256 bits/],
    ['rsa2048', /RSA 2048 bits/],
    ['rsa3072', /RSA 3072 bits/],
  ])('makes a %s key that does not leave the token', async (algorithm, kind) => {
    const settings = { SIGNER_KEY_ALGORITHM: algorithm, PKCS11_KEY_ID: '01ab' }
    expect(await token.key(['make'], settings)).toMatch(
      `made the ${algorithm} key "invoices" with CKA_ID 01ab; next: npm run admin -- key request`,
    )
    const objects = pkcs11Tool(token, ['--login', '--pin', token.pin, '--list-objects']).toString()
    expect(objects).toMatch(kind)
    expect(objects).toMatch(/Access: +sensitive, always sensitive, never extractable, local/)
    await expect(token.key(['make'])).rejects.toThrow(/already has the key "invoices" with CKA_ID/)
    const twin = { PKCS11_KEY_LABEL: 'other', PKCS11_KEY_ID: '01ab' }
    await expect(token.key(['make'], twin)).rejects.toThrow(/already has the key "invoices"/)
  })

  it.each(['ecp256', 'rsa2048'])('requests, installs, renews and shows: %s', async (algorithm) => {
    await token.key(['make'], { SIGNER_KEY_ALGORITHM: algorithm })
    const subject = 'C=MA, O=Atlas Distribution SARL, CN=Factures'
    await token.key(['request', file('key.csr'), '--subject', subject])
    const verified = ['req', '-in', file('key.csr'), '-noout', '-verify', '-subject']
    expect(openssl(verified)).toContain('O = Atlas Distribution SARL')

    authority.issue({ request: 'key.csr', by: 'mid', out: 'key.pem', days: 30 })
    const chain = await authority.join('chain.pem', 'key.pem', 'mid.pem', 'root.pem')
    expect(await token.key(['install', chain])).toMatch(/^installed\n {2}C=MA, O=Atlas .*\n.*Inter/)
    const subjects = [expect.stringContaining('CN=Factures'), 'CN=Intermediate']
    expect(await readChain(token)).toEqual(subjects)

    authority.issue({ request: 'key.csr', by: 'mid', out: 'key.pem', days: 300 })
    await token.key(['install', await authority.join('chain.pem', 'key.pem', 'mid.pem')])
    expect(await readChain(token)).toEqual(subjects)
    const shown = await token.key(['show'])
    expect(shown).toMatch(/1 keys, 2 certificates/)
    expect(shown).toMatch(/^\* key "invoices" {2}CKA_ID [0-9a-f]{16} {2}(ecp256|rsa2048)$/m)
    expect(shown).toMatch(/CN=Factures {2}until .* {2}299 days left/)
  })

  it('needs no folder, and another setting, in a container: for a key of another label', async () => {
    const other = ['--key-label', 'next']
    // The id is that of the key in use.
    const settings = { PKCS11_KEY_ID: '01ab' }
    expect(await token.key(['make', ...other], settings)).toMatch(/key "next" with CKA_ID (?!01ab)/)
    const request = await token.key(
      ['request', '-', '--subject', 'CN=Factures', ...other],
      settings,
    )
    expect(request).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----\n[^-]*-----END [A-Z ]*-----$/)
    await writeFile(file('next.csr'), request)
    authority.issue({ request: 'next.csr', by: 'mid', out: 'next.pem', days: 30 })
    const chain = await readFile(await authority.join('chain.pem', 'next.pem', 'mid.pem'), 'utf8')
    const installed = await token.key(['install', '-', ...other], settings, chain)
    expect(installed).toMatch(/^installed\n {2}CN=Factures /)
    await expect(token.key(['install', '-', ...other], settings, 'nonsense')).rejects.toThrow(
      /the standard input/,
    )
    expect(await token.key(['show', ...other], settings)).toMatch(/^\* key "next"/m)
  })

  it('installs nothing but a valid certificate of the key, in the order of its chain', async () => {
    await token.key(['make'])
    await token.key(['request', file('key.csr'), '--subject', 'CN=Factures'])
    authority.issue({ request: 'key.csr', by: 'mid', out: 'key.pem', days: 30 })
    const install = async (...names: string[]) =>
      token.key(['install', await authority.join('chain.pem', ...names)])
    await expect(install('mid.pem')).rejects.toThrow(
      /^the certificate in .*chain\.pem \(CN=Intermediate\) is of another key/,
    )
    await expect(install('key.pem', 'root.pem')).rejects.toThrow(
      /certificate 2 in .* \(CN=Root\) did not issue the one before it \(CN=Factures\)/,
    )
    await expect(install('key.csr')).rejects.toThrow(/must hold the certificate and its interm/)
    authority.issue({ request: 'key.csr', by: 'mid', out: 'old.pem', days: -1 })
    await expect(install('old.pem')).rejects.toThrow(/\(CN=Factures\) expired on .* install a new/)
    expect(await token.key(['show'])).toMatch(/1 keys, 0 certificates/)
    await expect(readChain(token)).rejects.toThrow(
      /there is no certificate for the key in the token/,
    )
  })

  it('certifies by an authority of our own, once', async () => {
    expect(await token.key(['self-certify'])).toMatch(/verifiers trust .*trusted-certificate\.pem$/)
    expect(await token.key(['self-certify'])).toBe('key and certificate already exist')
    const key = await openPkcs11Key(token.config(), { log: createLog('silent') })
    await key.close()
    const trusted = await readFile(token.config().trustedCertificateFile!)
    const signing = new X509Certificate(key.identity().certificates[0])
    expect(signing.verify(new X509Certificate(trusted).publicKey)).toBe(true)
  })

  it('says in a sentence what it lacks', async () => {
    await expect(token.key([])).rejects.toThrow(/Usage: admin key/)
    await expect(token.key(['constructor'])).rejects.toThrow(/Usage: admin key/)
    await expect(token.key(['request', file('x')])).rejects.toThrow(/Usage: admin key/)
    await expect(token.key(['show'], { PKCS11_MODULE: '', PKCS11_PIN_FILE: '' })).rejects.toThrow(
      /^PKCS11_MODULE is not set: .*\nPKCS11_PIN_FILE is not set: .*$/,
    )
    await token.key(['make'])
    for (const subject of ['nonsense', 'X=1']) {
      await expect(token.key(['request', file('x'), '--subject', subject])).rejects.toThrow(
        /^--subject cannot be read/,
      )
    }
    await expect(token.key(['install', '/nowhere'])).rejects.toThrow(/ENOENT/)
  })
})
