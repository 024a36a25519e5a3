import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createLog } from '@einvoicing/runtime/log'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { makeTestAuthority, type TestAuthority } from '../testdata/authority'
import { makeSigningToken, makeTestToken, pkcs11Tool, type TestToken } from '../testdata/token'
import { openPkcs11Key, type Pkcs11KeyConfig } from './pkcs11'
import { createSignVerified } from './sign-verified'
import { keyAlgorithms, type SigningKey } from './signing-key'
import { signingKeyContract } from './signing-key.contract'

let authority: TestAuthority
beforeAll(async () => void (authority = await makeTestAuthority()))

const opened: SigningKey[] = []
async function open(config: Pkcs11KeyConfig): Promise<SigningKey> {
  const key = await openPkcs11Key(config, { log: createLog('silent') })
  opened.push(key)
  return key
}
const tokens: TestToken[] = []
async function disposeLater(making: Promise<TestToken>): Promise<TestToken> {
  const token = await making
  tokens.push(token)
  return token
}
afterAll(async () => {
  await Promise.all(opened.map((key) => key.close()))
  await Promise.all(tokens.map((token) => token.dispose()))
})

describeWithOwn('softhsm', 'a key in a token', () => {
  describe.each(keyAlgorithms)('%s', (algorithm) => {
    signingKeyContract(async () => {
      const token = await disposeLater(makeSigningToken(algorithm))
      return openPkcs11Key(token.config(), { log: createLog('silent') })
    })
  })

  it('signs with as many sessions as there are, and lets the others wait', async () => {
    const token = await disposeLater(makeSigningToken())
    const key = await open(token.config({ sessions: 2 }))
    const signVerified = createSignVerified(key, () => new Date())
    const signed = Array.from({ length: 500 }, (_, index) =>
      signVerified(Buffer.from(`document ${index}`), key.identity()),
    )
    await expect(Promise.all(signed)).resolves.toHaveLength(500)
  })

  describe('is refused at once, in a sentence, for', () => {
    let token: TestToken
    beforeAll(async () => void (token = await disposeLater(makeSigningToken())))
    const apiError = (config: Pkcs11KeyConfig) =>
      open(config).then(
        () => 'opened',
        (error: unknown) => (error as Error).message,
      )

    it('a module that does not exist', async () => {
      expect(await apiError({ ...token.config(), module: '/nowhere.so' })).toMatch(
        /^PKCS11_MODULE \/nowhere\.so cannot be loaded: .*No such file/,
      )
    })

    it('a PIN file that is missing or empty', async () => {
      expect(await apiError({ ...token.config(), pinFile: '/nowhere' })).toBe(
        'PKCS11_PIN_FILE /nowhere cannot be read (ENOENT)',
      )
      expect(await apiError({ ...token.config(), pinFile: '/dev/null' })).toMatch(/is empty/)
    })

    it('a wrong PIN', async () => {
      const pinFile = `${token.pinFile}.wrong`
      await writeFile(pinFile, '000000\n')
      expect(await apiError({ ...token.config(), pinFile })).toMatch(
        /^the PIN of token "einvoicing" is not the one in PKCS11_PIN_FILE: correct the file;/,
      )
    })

    it('no key of that label, or CKA_ID', async () => {
      expect(await apiError(token.config({ key: { label: 'other', id: undefined } }))).toMatch(
        /has no private key with PKCS11_KEY_LABEL "other" \(found: "invoices" [0-9a-f]{16}\)$/,
      )
      expect(await apiError(token.config({ key: { label: 'invoices', id: '0102' } }))).toMatch(
        /has no private key with PKCS11_KEY_LABEL "invoices" and PKCS11_KEY_ID 0102 \(found/,
      )
    })

    it('two keys with one label, until the CKA_ID distinguishes them', async () => {
      const twins = await disposeLater(makeTestToken())
      for (const id of ['0a', '0b']) {
        const pair = ['--keypairgen', '--key-type', 'EC:prime256v1', '--id', id]
        pkcs11Tool(twins, ['--login', '--pin', twins.pin, ...pair, '--label', 'invoices'])
      }
      expect(await apiError(twins.config())).toMatch(
        /has 2 private keys with PKCS11_KEY_LABEL "invoices": set PKCS11_KEY_LABEL and PKCS11_KEY_ID so that they match only one \(found: "invoices" 0[ab], "invoices" 0[ab]\)/,
      )
      const key = { label: 'invoices', id: '0b' }
      expect(await apiError(twins.config({ key }))).toMatch(
        /there is no certificate for the key in the token "einvoicing" under CKA_ID 0b: install it/,
      )
    })

    it("another key's certificate, an expired one, and a file without any", async () => {
      await token.key(['request', authority.file('key.csr'), '--subject', 'CN=Factures'])
      authority.issue({ request: 'key.csr', by: 'mid', out: 'expired.pem', days: -1 })
      const withFile = (certificateFile: string) => apiError(token.config({ certificateFile }))
      expect(await withFile(authority.file('mid.pem'))).toMatch(
        /^the certificate in PKCS11_CERTIFICATE_FILE .*mid\.pem \(CN=Intermediate\) is of another key/,
      )
      expect(await withFile(authority.file('expired.pem'))).toMatch(
        /^the certificate in PKCS11_CERTIFICATE_FILE .* \(CN=Factures\) expired on .* GMT: install/,
      )
      expect(await withFile(token.pinFile)).toMatch(/holds no certificate in PEM$/)
      expect(await withFile('/nowhere')).toMatch(/cannot be read \(ENOENT\)/)
    })
  })

  it('takes certificate and intermediates from a file, if one is named, and leaves the root', async () => {
    const token = await disposeLater(makeSigningToken())
    await token.key(['request', authority.file('key.csr'), '--subject', 'CN=Factures'])
    authority.issue({ request: 'key.csr', by: 'mid', out: 'key.pem', days: 30 })
    const certificateFile = await authority.join('chain.pem', 'key.pem', 'mid.pem', 'root.pem')
    const key = await open(token.config({ certificateFile }))
    const subjects = key.identity().certificates.map((der) => new X509Certificate(der).subject)
    expect(subjects).toEqual(['CN=Factures', 'CN=Intermediate'])
  })
})
