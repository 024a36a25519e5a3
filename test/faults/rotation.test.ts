/**
 * Every secret between and before the services renewed under load, by the book's three rounds of
 * restarts: no key, no session and no caller is refused meanwhile.
 */

import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { secretFileName } from '@einvoicing/rpc/caller-secrets'
import { pairs } from '@einvoicing/rpc/who-may-call'
import { everyService, makeAuthority, type Issued } from '@einvoicing/servers/certificates'
import { describeWith } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { newOrganization, Session, type Organization } from '../stack/organization'
import { drawSeed, seededRandom } from '../stack/random'
import { backingServices, startServices, type Services } from '../stack/services'
import { createPersistently } from './persistent-load'
import { listAll } from './record'

const withinMs = 90_000
const services = ['organizations', 'invoices', 'signer', 'artefacts', 'clearance']
const gateways = ['gateway', 'gateway-2']

const secret = () => randomBytes(32).toString('base64url')
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describeWith(backingServices, 'services as processes whose secrets are renewed under load', () => {
  let folder: string
  let stack: Services
  let organization: Organization
  let [old, next]: Issued[] = []
  const file = (name: string) => path.join(folder, name)

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-rotation-'))
    old = await (await makeAuthority('old')).issue('services', { names: everyService })
    next = await (await makeAuthority('next')).issue('services', { names: everyService })
    await writeFile(file('pepper'), 'none\n')
    await writeFile(file('ca.pem'), await readFile(old.authorityFile))
    await writeFile(file('tls.pem'), await readFile(old.certificateFile))
    await writeFile(file('tls.key'), await readFile(old.keyFile))
    const env = {
      API_KEY_PEPPER_FILE: file('pepper'),
      TLS_CERTIFICATE_FILE: file('tls.pem'),
      TLS_KEY_FILE: file('tls.key'),
      TLS_CA_FILE: file('ca.pem'),
      LOG_LEVEL: 'info',
    }
    stack = await startServices({ gateways: 2, env })
    organization = await newOrganization(stack)
  }, 240_000)
  afterAll(async () => {
    await stack.dispose()
    await rm(folder, { recursive: true })
  })

  /** The files that the launcher made and every process reads. */
  const secretFile = (name: string) => path.join(stack.dataDir, 'secrets', name)

  async function restart(name: string): Promise<void> {
    const ports = await stack.ports()
    const index = gateways.indexOf(name)
    const url = index < 0 ? `http://127.0.0.1:${ports[`${name}Health`]}` : stack.urls[index]!
    const before = await stack.pidOf(name)
    await stack.signal(name, 'SIGTERM')
    await eventually(async () => {
      expect(await stack.pidOf(name)).not.toBe(before)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }, withinMs)
  }

  /** What the session and the key are answered by every gateway, services away apart. */
  async function expectKnown(session: Session): Promise<void> {
    for (const url of stack.urls) {
      const { email, password } = session
      const there = Object.assign(new Session(url, email, password), { cookie: session.cookie })
      await eventually(async () => {
        const answer = await there.call('GET', '/organization')
        if (answer.status === 503) throw new Error('away')
        expect([answer.status, answer.code]).toEqual([200, 'OK'])
      }, withinMs)
    }
  }

  const seed = drawSeed('rotation')
  test(`caller, session, pepper and TLS, by restarts in any order (SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const { session, key } = organization
    const names = ['session.secret', ...pairs.map(secretFileName)]
    const current = await Promise.all(names.map((name) => readFile(secretFile(name), 'utf8')))
    const renewed = names.map(secret)
    const pepper = secret()
    const both = [await readFile(old!.authorityFile), await readFile(next!.authorityFile)].join('')
    const rounds: (() => Promise<unknown>[])[] = [
      () => [
        ...names.map((name, at) =>
          writeFile(secretFile(name), `${current[at]!.trim()}\n${renewed[at]}\n`),
        ),
        writeFile(file('pepper'), `none\n${pepper}\n`),
        writeFile(file('ca.pem'), both),
      ],
      () => [
        ...names.map((name, at) =>
          writeFile(secretFile(name), `${renewed[at]}\n${current[at]!.trim()}\n`),
        ),
        writeFile(file('pepper'), `${pepper}\nnone\n`),
        copy(next!.certificateFile, file('tls.pem')),
        copy(next!.keyFile, file('tls.key')),
      ],
      () => [
        ...names.map((name, at) => writeFile(secretFile(name), `${renewed[at]}\n`)),
        writeFile(file('pepper'), `${pepper}\n`),
        copy(next!.authorityFile, file('ca.pem')),
      ],
    ]
    const load = createPersistently({
      urls: stack.urls,
      key: key.key,
      random,
      connections: 2,
      pauseMs: 2_000,
    })
    let last = session
    for (const write of rounds) {
      await Promise.all(write())
      for (const name of random.shuffled([...services, ...gateways])) {
        await restart(name)
        await expectKnown(last)
      }
      await pause(500)
      last = await eventually(() => signedIn(session), withinMs)
    }
    await load.stop()
    expect(load.wrong).toEqual([])
    expect(load.cut).toEqual([])
    const output = await stack.output()
    expect(output).toMatch(/no API key uses this older line|API keys use an older/)
    expect(output).not.toMatch(/CALLER_REFUSED|caller token was rejected/)
    const none = [...current, ...renewed, pepper, key.key, session.password]
    expect(none.filter((text) => output.includes(text.trim()))).toEqual([])
    const there = new Set((await listAll(organization.invoices)).map(({ id }) => id as string))
    expect(load.acknowledged.length).toBeGreaterThan(20)
    expect(load.acknowledged.filter(({ id }) => !there.has(id))).toEqual([])
    process.stdout.write(`rotation: ${load.acknowledged.length} invoices, 0 refused\n`)
  }, 1_200_000)

  async function signedIn({ baseUrl, email, password }: Session): Promise<Session> {
    const fresh = new Session(baseUrl, email, password)
    const answer = await fresh.call('POST', '/session', { body: { email, password } })
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.code}`)
    fresh.storeCookie(answer)
    return fresh
  }
})

async function copy(from: string, to: string): Promise<void> {
  await writeFile(to, await readFile(from))
}
