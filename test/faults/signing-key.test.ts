/**
 * A new signing key beside the old one in the token: two signers sign side by side, the old one is
 * stopped under load, and every document verifies under the authority of its own key.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { connectRpc } from '@einvoicing/rpc/client'
import type { Invoice } from '@einvoicing/proto/invoice'
import { SignerService } from '@einvoicing/proto/signer'
import { describeWith } from '@einvoicing/servers/describe-with'
import { makeSoftHsmToken, type SoftHsmToken } from '@einvoicing/servers/soft-hsm'
import { eventually } from '@einvoicing/servers/eventually'
import { freePlaces } from '../stack/free-places'
import { spawnService, type ServiceProcess } from '../stack/service-process'

const run = promisify(execFile)
const underTest = path.join(__dirname, '../../services/signer')
const callerSecret = 'the secret that all services share'
const labels = ['invoices-2026', 'invoices-2027'] as const

describeWith(['softhsm'], 'two signers with two keys of one token', () => {
  let folder: string
  let token: SoftHsmToken
  const signers: ServiceProcess[] = []
  const addresses: string[] = []

  /** Certified by an authority of its own. */
  async function startSigner(label: string): Promise<void> {
    const places = await freePlaces()
    const env = {
      ...token.env,
      ...places,
      PKCS11_MODULE: token.module,
      PKCS11_TOKEN_LABEL: token.tokenLabel,
      PKCS11_PIN_FILE: token.pinFile,
      PKCS11_KEY_LABEL: label,
      DATA_DIR: path.join(folder, label),
      CALLER_SECRET_FILE: path.join(folder, 'caller.secret'),
    }
    const command = path.join(underTest, '../../deploy/admin/dist/main.js')
    await run(process.execPath, [command, 'key', 'self-certify'], { env, timeout: 60_000 })
    signers.push(spawnService({ main: 'signer', env }))
    addresses.push(places.RPC_ADDRESS)
    await eventually(async () => {
      expect((await fetch(`http://${places.HEALTH_ADDRESS}/readyz`)).status).toBe(200)
    })
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-signing-key-'))
    await writeFile(path.join(folder, 'caller.secret'), callerSecret, { mode: 0o600 })
    token = await makeSoftHsmToken()
    for (const label of labels) await startSigner(label)
  }, 180_000)
  afterAll(async () => {
    await Promise.all(signers.map((signer) => signer.signal('SIGTERM')))
    await token.dispose()
    await rm(folder, { recursive: true })
  })

  test('both sign under load during the change, and no signature fails', async () => {
    const file = path.join(underTest, 'src/testdata/simple.json')
    const invoice = JSON.parse(await readFile(file, 'utf8')) as Invoice
    const { service, close } = connectRpc(SignerService, {
      address: `ipv4:${addresses.join(',')}`,
      callerSecrets: { shared: [callerSecret] },
    })
    const caller = { service: 'invoices', organizationId: 'o', actor: 'a' } as const
    const sign = async () => {
      const call = { caller, requestId: 'r', deadline: Date.now() + 10_000 }
      return Buffer.from((await service.signDocument({ invoice }, call)).xml)
    }
    const signed: Buffer[] = []
    const round = async () => signed.push(...(await Promise.all([sign(), sign(), sign(), sign()])))
    // A round is one batch. The channel signs by what it has reached, and soon by both in turn.
    for (let time = 0; time < 40; time += 1) await round()
    const sideBySide = [-5, -1].flatMap((place) => signed.at(place) ?? [])
    const stopped = signers[0]!.signal('SIGTERM')
    for (let time = 0; time < 10; time += 1) await round()
    expect((await stopped).code).toBe(0)
    const before = signed.length
    for (let time = 0; time < 5; time += 1) await round()
    close()

    const verified = await Promise.all([...sideBySide, ...signed.slice(before)].map(trusted))
    expect(new Set(verified.slice(0, 2))).toEqual(new Set(labels))
    expect(new Set(verified.slice(2))).toEqual(new Set([labels[1]]))
  }, 120_000)

  /** By which of the two authorities alone the document verifies. */
  async function trusted(xml: Buffer, index: number): Promise<string | undefined> {
    const document = path.join(folder, `${index}.xml`)
    await writeFile(document, xml)
    const found: string[] = []
    for (const label of labels) {
      const authority = path.join(folder, label, 'signer', 'trusted-certificate.pem')
      const how = ['--verify', '--id-attr:Id', 'SignedProperties', '--trusted-pem', authority]
      await run('xmlsec1', [...how, document]).then(
        () => found.push(label),
        () => undefined,
      )
    }
    return found.length === 1 ? found[0] : undefined
  }
})
