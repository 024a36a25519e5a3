import { X509Certificate, createPrivateKey } from 'node:crypto'
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@einvoicing/runtime/log'
import { keyAlgorithms, type KeyAlgorithm } from './signing-key'
import { signingKeyContract } from './signing-key.contract'
import { openSoftwareKey, type OpenedKey } from './software'

const start = new Date('2026-11-21T10:00:00Z')
const dayMs = 86_400_000
const files = ['authority.pem', 'signing.pem', 'trusted-certificate.pem']

let directory: string
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'signer-')), 'keys')
})

function open(options: { algorithm?: KeyAlgorithm; days?: number; in?: string } = {}) {
  const { algorithm = 'ecp256', days = 0 } = options
  const now = () => new Date(start.getTime() + days * dayMs)
  const config = { kind: 'software', directory: options.in ?? directory, algorithm } as const
  return openSoftwareKey(config, { now, log: createLog('silent') })
}

const readSigningCertificate = ({ key }: OpenedKey) =>
  new X509Certificate(key.identity().certificates[0])
const read = (file: string) => readFile(join(directory, file), 'utf8')
const readMode = async (path: string) => (await stat(path)).mode & 0o777

describe.each(keyAlgorithms)('%s', (algorithm) => {
  signingKeyContract(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signer-'))
    return (await open({ algorithm, in: folder })).key
  })
})

it('makes a certificate fit to sign documents, under an authority fit to issue it', async () => {
  const opened = await open()
  const authority = new X509Certificate(await readFile(opened.trustedCertificateFile))
  const signing = readSigningCertificate(opened)
  expect(authority.ca).toBe(true)
  expect(signing.ca).toBe(false)
  expect(signing.checkIssued(authority)).toBe(true)
  expect(signing.verify(authority.publicKey)).toBe(true)
  expect(signing.subject).toBe(
    'C=MA\nO=Electronic Invoicing Service\nCN=Electronic Invoicing Service Signer',
  )
  expect(Date.parse(signing.validFrom)).toBeLessThan(start.getTime())
  expect(Date.parse(signing.validTo)).toBe(start.getTime() + 5 * 365 * dayMs)
  expect(Date.parse(authority.validTo)).toBe(start.getTime() + 20 * 365 * dayMs)
})

it('keeps secrets for the owner alone, and nothing else beside them', async () => {
  await open()
  expect(await readdir(directory)).toEqual(files)
  expect(await readMode(directory)).toBe(0o700)
  expect(await readMode(join(directory, 'authority.pem'))).toBe(0o600)
  expect(await readMode(join(directory, 'signing.pem'))).toBe(0o600)
  expect(await read('trusted-certificate.pem')).not.toContain('PRIVATE')
})

it('opens the same key again', async () => {
  const first = await open()
  expect(readSigningCertificate(await open({ days: 1 })).fingerprint256).toBe(
    readSigningCertificate(first).fingerprint256,
  )
})

it('completes files missing after a crash', async () => {
  await open()
  const authority = await read('authority.pem')
  for (const left of [
    ['authority.pem'],
    ['authority.pem', 'trusted-certificate.pem'],
    ['authority.pem', 'signing.pem'],
  ]) {
    for (const file of files) if (!left.includes(file)) await rm(join(directory, file))
    await open()
    expect(await readdir(directory)).toEqual(files)
    expect(await read('authority.pem')).toBe(authority)
    expect(authority).toContain((await read('trusted-certificate.pem')).trim())
  }
})

it('overwrites what a crash left half written', async () => {
  await open()
  await rm(join(directory, 'signing.pem'))
  const leftover = join(directory, 'signing.pem.tmp')
  await writeFile(leftover, '-----BEGIN PRIV', { mode: 0o644 })
  await open()
  expect(await readdir(directory)).toEqual(files)
  expect(await readMode(join(directory, 'signing.pem'))).toBe(0o600)
})

it('renews key and certificate in their last 60 days, even past their end', async () => {
  const first = readSigningCertificate(await open())
  const end = 5 * 365
  expect(readSigningCertificate(await open({ days: end - 60 })).fingerprint256).toBe(
    first.fingerprint256,
  )
  const renewed = readSigningCertificate(await open({ days: end - 59 }))
  expect(renewed.fingerprint256).not.toBe(first.fingerprint256)
  expect(renewed.publicKey.equals(first.publicKey)).toBe(false)
  const late = readSigningCertificate(await open({ days: 2 * end + 100 }))
  expect(late.fingerprint256).not.toBe(renewed.fingerprint256)
  expect(createPrivateKey(await read('signing.pem')).asymmetricKeyType).toBe('ec')
})

it('never outlives its authority, and says when that has ended', async () => {
  await open()
  const end = 20 * 365
  const last = readSigningCertificate(await open({ days: end - 10 }))
  expect(Date.parse(last.validTo)).toBe(start.getTime() + end * dayMs)
  expect(readSigningCertificate(await open({ days: end - 5 })).fingerprint256).toBe(
    last.fingerprint256,
  )
  await expect(open({ days: end })).rejects.toThrow(
    /the authority in .*authority\.pem expired on .*: move .* elsewhere to create new keys/,
  )
})

it('closes a key file that others could read', async () => {
  await open()
  await chmod(join(directory, 'signing.pem'), 0o644)
  await open()
  expect(await readMode(join(directory, 'signing.pem'))).toBe(0o600)
})

describe('says in one sentence', () => {
  it('that the setting and the key on disk differ', async () => {
    await open()
    await expect(open({ algorithm: 'rsa2048' })).rejects.toThrow(
      /^SIGNER_KEY_ALGORITHM is rsa2048 but .*signing\.pem holds an ecp256 key: change the setting back, or move the file elsewhere/,
    )
  })

  describe.each(['authority.pem', 'signing.pem'])('that %s', (file) => {
    it.each<[string, (text: string) => string]>([
      ['shorter by ten characters', (text) => text.replace(/\n.{10}/, '\n')],
      ['cut off', (text) => text.slice(0, 100)],
      ['empty', () => ''],
      ['another text', () => 'no key'],
    ])('is damaged: %s', async (_, damage) => {
      await open()
      await writeFile(join(directory, file), damage(await read(file)))
      await expect(open()).rejects.toThrow(new RegExp(`^the key file .*${file} is damaged[^\\n]*$`))
    })

    it('cannot be read', async () => {
      await open()
      await rm(join(directory, file))
      await mkdir(join(directory, file))
      const text = new RegExp(`^cannot read the key file .*${file} \\(EISDIR\\)[^\\n]*$`)
      await expect(open()).rejects.toThrow(text)
    })
  })

  it('that a file without its certificate is damaged', async () => {
    await open()
    await writeFile(
      join(directory, 'signing.pem'),
      (await read('signing.pem')).split('-----BEGIN CERT')[0] ?? '',
    )
    await expect(open()).rejects.toThrow(/signing\.pem is damaged/)
  })

  it('that a certificate is of another key', async () => {
    await open()
    const [ownKey] = (await read('signing.pem')).split('-----BEGIN CERT')
    const [, otherCertificate] = (await read('authority.pem')).split('-----BEGIN CERT')
    await writeFile(join(directory, 'signing.pem'), `${ownKey}-----BEGIN CERT${otherCertificate}`)
    await expect(open()).rejects.toThrow(/signing\.pem holds the certificate of another key/)
  })

  it('that a certificate is by another authority', async () => {
    const other = join(directory, '..', 'other')
    await Promise.all([open(), open({ in: other })])
    await cp(join(other, 'signing.pem'), join(directory, 'signing.pem'))
    await expect(open()).rejects.toThrow(/signing\.pem was not issued by the authority beside it/)
  })

  it('that the authority is gone', async () => {
    await open()
    await rm(join(directory, 'authority.pem'))
    await expect(open()).rejects.toThrow(/its authority .*authority\.pem does not: restore it/)
  })
})
