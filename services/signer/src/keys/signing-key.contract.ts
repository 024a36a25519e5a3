import { X509Certificate, verify } from 'node:crypto'
import { createSignVerified } from './sign-verified'
import type { SigningKey } from './signing-key'

const signatureBytes = { ecp256: 64, rsa2048: 256, rsa3072: 384 }

export function signingKeyContract(open: () => Promise<SigningKey>): void {
  let key: SigningKey

  beforeAll(async () => {
    key = await open()
  })
  afterAll(() => key.close())

  it('signs what its certificate verifies, in the raw form XML Signature wants', async () => {
    const bytes = Buffer.from('<ds:SignedInfo/>')
    const signature = await key.sign(bytes)
    const { algorithm, certificates } = key.identity()
    expect(signature).toHaveLength(signatureBytes[algorithm])
    const { publicKey } = new X509Certificate(certificates[0])
    expect(verify('sha256', bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature)).toBe(
      true,
    )
  })

  it('answers many requests at once, each separately', async () => {
    const signVerified = createSignVerified(key, () => new Date())
    const bytes = Array.from({ length: 20 }, (_, index) => Buffer.from(`document ${index}`))
    const signed = bytes.map((each) => signVerified(each, key.identity()))
    await expect(Promise.all(signed)).resolves.toHaveLength(20)
  })

  it('lists its certificate first and no root', () => {
    const { certificates } = key.identity()
    const [signing, ...intermediates] = certificates.map((der) => new X509Certificate(der))
    expect(signing?.ca).toBe(false)
    const all = [signing, ...intermediates]
    expect(all.some((certificate) => certificate?.subject === certificate?.issuer)).toBe(false)
  })

  it('is the same object as long as key and certificate are', async () => {
    const identity = key.identity()
    await key.sign(Buffer.from('x'))
    expect(key.identity()).toBe(identity)
  })
}
