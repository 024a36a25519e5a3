/**
 * A service that cannot start ends with status 1 and one sentence for each error, which names the
 * setting and shows no secret.
 */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeAuthority } from '@einvoicing/servers/certificates'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { launch } from '@einvoicing/servers/launch'
import { startMongod } from '@einvoicing/servers/mongod'
import { startNats } from '@einvoicing/servers/nats'
import { findFreePort } from '@einvoicing/servers/ports'
import { probeTcp } from '@einvoicing/servers/probes'
import { startMinio } from '@einvoicing/servers/s3'
import type { Server } from '@einvoicing/servers/server'
import { freePlaces } from '../stack/free-places'
import { spawnService, type Ended } from '../stack/service-process'
import { makeSigningToken } from '../stack/signing-token'
import { expectClearError, readLines } from './clear-error'

type Settings = Readonly<Record<string, string>>
type Main = 'organizations' | 'invoices' | 'signer' | 'artefacts' | 'clearance' | 'gateway'

const withinMs = 30_000
const secret = 'hunter2-which-no-one-may-read'
let folder: string
let caller: Settings

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-services-start-'))
  caller = { CALLER_SECRET_FILE: await write('caller.secret', 'c'.repeat(32)) }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text, { mode: 0o600 })
  return file
}

async function start(main: Main, env: Settings): Promise<Ended> {
  const service = spawnService({ main, env: { ...(await freePlaces()), ...env } })
  const cut = setTimeout(() => void service.signal('SIGKILL'), withinMs)
  const ended = await service.ended
  clearTimeout(cut)
  return ended
}

/** Each word in a line of its own, and no other line. */
async function expectStartError(main: Main, env: Settings, ...words: (string | RegExp)[]) {
  const ended = await start(main, env)
  expectClearError(ended, ...words)
  expect(ended.stderr).not.toContain(secret)
  expect(readLines(ended)).toHaveLength(words.length)
}

describe('a service as a process does not start', () => {
  test('with nothing set: a backing service that is not named is no file', async () => {
    const [needsCaller, needsMongodb, needsNats] = [
      /^CALLER_SECRETS_DIR is not set/m,
      /^MONGODB_URL is not set/m,
      /^NATS_URL is not set/m,
    ]
    await expectStartError('organizations', {}, needsCaller, needsMongodb)
    await expectStartError('invoices', {}, needsCaller, needsMongodb, needsNats)
    await expectStartError('signer', {}, needsCaller, /^PKCS11_MODULE is not set/m)
    await expectStartError('artefacts', {}, needsCaller, /^S3_URL is not set/m)
    await expectStartError('clearance', {}, needsCaller, needsNats)
    await expectStartError('gateway', {}, needsCaller, /^SESSION_SECRET_FILE is not set/m)
  })

  test('with incomplete settings: all errors are reported together', async () => {
    const tlsHalf = { TLS_CERTIFICATE_FILE: 'certificate.pem' }
    const tls = /^mutual TLS between services wants all of TLS_CERTIFICATE_FILE/m
    const s3Half = { S3_URL: 'http://127.0.0.1:9', S3_BUCKET: 'archive' }
    const s3 = [/^S3_ACCESS_KEY is not set/m, /^S3_SECRET_KEY_FILE is not set/m]
    await expectStartError('artefacts', { ...caller, ...s3Half, ...tlsHalf }, tls, ...s3)
    const tokenHalf = { PKCS11_MODULE: '/lib/token.so', DATA_DIR: folder }
    const token = ['PKCS11_TOKEN_LABEL', 'PKCS11_PIN_FILE', 'PKCS11_KEY_LABEL']
    await expectStartError('signer', { ...caller, ...tokenHalf }, ...token)
    const user = { MONGODB_URL: 'mongodb://user@127.0.0.1:9/?replicaSet=rs0', NATS_USER: 'bus' }
    const users = [/^MONGODB_URL names a user/m, /^NATS_URL is not/m, /^NATS_USER and/m]
    await expectStartError('invoices', { ...caller, ...user }, ...users)
    const session = { SESSION_SECRET_FILE: await write('session.secret', 's'.repeat(32)) }
    const redisHalf = { ...caller, ...session, REDIS_PASSWORD_FILE: 'x' }
    await expectStartError('gateway', redisHalf, /^REDIS_PASSWORD_FILE is set but/m)
  })

  test('with invalid addresses', async () => {
    const places = { RPC_ADDRESS: 'nowhere', HEALTH_ADDRESS: '127.0.0.1:70000' }
    const mongodb = { MONGODB_URL: `http://user:${secret}@127.0.0.1:9` }
    const three = ['RPC_ADDRESS must be', 'HEALTH_ADDRESS must be', 'MONGODB_URL must be']
    await expectStartError('organizations', { ...caller, ...places, ...mongodb }, ...three)
    const nats = { NATS_URL: `nats://user:${secret}@127.0.0.1:9`, CLEARANCE_URL: secret }
    const two = ['NATS_URL must not contain a user', 'CLEARANCE_URL must be a URL']
    await expectStartError('clearance', { ...caller, ...nats }, ...two)
    const peers = { ...caller, DATA_DIR: folder, INVOICES_ADDRESS: 'here', REDIS_URL: secret }
    await expectStartError('gateway', peers, 'INVOICES_ADDRESS must be', 'REDIS_URL must be')
  })

  test('with secrets that cannot be read or are too short', async () => {
    const settings = { ...caller, DATA_DIR: folder }
    const [absent, short] = [path.join(folder, 'absent'), await write('short', secret.slice(0, 8))]
    for (const file of [absent, short]) {
      await expectStartError(
        'artefacts',
        { ...settings, CALLER_SECRET_FILE: file },
        /^CALLER_SECRET_FILE/,
      )
      await expectStartError(
        'gateway',
        { ...settings, SESSION_SECRET_FILE: file },
        /SESSION_SECRET_FILE/,
      )
    }
    const pairs = { DATA_DIR: folder, CALLER_SECRETS_DIR: path.join(folder, 'pairs') }
    const callers = ['invoices', 'gateway', 'organizations']
    const missing = callers.map((name) => `caller-${name}-artefacts`)
    await expectStartError('artefacts', pairs, ...missing)
  })

  test('with certificates that do not fit', async () => {
    const authority = await makeAuthority('ours')
    const [one, other] = [await authority.issue('one'), await authority.issue('other')]
    const tls = {
      ...caller,
      DATA_DIR: folder,
      TLS_CERTIFICATE_FILE: one.certificateFile,
      TLS_KEY_FILE: one.keyFile,
      TLS_CA_FILE: one.authorityFile,
    }
    const unread = { ...tls, TLS_CA_FILE: caller['CALLER_SECRET_FILE']! }
    await expectStartError(
      'artefacts',
      { ...tls, TLS_KEY_FILE: other.keyFile },
      /^TLS_.* fit together/,
    )
    await expectStartError('artefacts', unread, /^TLS_CA_FILE cannot be used/)
  })

  test('where another listens', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => taken.once('listening', resolve))
    taken.unref()
    const { port } = taken.address() as net.AddressInfo
    const settings = { ...caller, DATA_DIR: folder }
    for (const name of ['RPC_ADDRESS', 'HEALTH_ADDRESS']) {
      const there = new RegExp(`^${name} 127.0.0.1:${port}: cannot listen`)
      await expectStartError('artefacts', { ...settings, [name]: `127.0.0.1:${port}` }, there)
    }
    await expectStartError(
      'gateway',
      { ...settings, PORT: String(port) },
      /set PORT to another port/,
    )
  })
})

describeWithOwn(
  ['mongod', 'nats-server', 'minio', 'softhsm'],
  'a service of its own does not start on a backing service that will never serve it:',
  () => {
    const servers: Server[] = []
    const stopLater = <S extends Server>(server: S): S => {
      servers.push(server)
      return server
    }
    afterAll(() => Promise.all(servers.map((server) => server.dispose())))

    test('MongoDB without a replica set, or that does not know the password', async () => {
      const alone = stopLater(await startMongod({ standalone: true }))
      const noSet = /^MONGODB_URL .*not in a replica set/
      await expectStartError('organizations', { ...caller, MONGODB_URL: alone.url }, noSet)
      const wanted = { ...caller, MONGODB_URL: `${alone.url}?replicaSet=rs0` }
      await expectStartError('organizations', wanted, /^MONGODB_URL: none of its servers/)
      const credentials = { user: 'service', password: 'right' }
      const own = stopLater(await startMongod({ credentials }))
      const wrong = {
        ...caller,
        MONGODB_URL: own.url.replace(':right@', '@'),
        MONGODB_PASSWORD_FILE: await write('mongodb.password', secret),
      }
      await expectStartError('organizations', wrong, /^MONGODB_URL: the server refuses the user/)
    })

    test('S3 with a bucket that does not lock, or another secret', async () => {
      const data = path.join(folder, 'minio')
      const minio = stopLater(await startMinio({ folder: data }))
      await mkdir(path.join(data, 'plain'))
      const settings = {
        ...caller,
        S3_URL: minio.url,
        S3_BUCKET: 'plain',
        S3_ACCESS_KEY: minio.accessKey,
        S3_SECRET_KEY_FILE: await write('s3.secret', minio.secretKey),
      }
      await expectStartError('artefacts', settings, /^S3_BUCKET: .* has no object lock/)
      const wrong = { ...settings, S3_SECRET_KEY_FILE: await write('s3.wrong', secret) }
      await expectStartError(
        'artefacts',
        wrong,
        /^S3_SECRET_KEY_FILE does not contain the secret key/,
      )
    })

    test('a token without the key, with another PIN, with a certificate of another key', async () => {
      const token = await makeSigningToken()
      const settings = { ...caller, ...token.settings }
      const label = { PKCS11_KEY_LABEL: 'other' }
      await expectStartError(
        'signer',
        { ...settings, ...label },
        /no private key with PKCS11_KEY_LAB/,
      )
      const { certificateFile } = await (await makeAuthority('ours')).issue('another')
      const another = { ...settings, PKCS11_CERTIFICATE_FILE: certificateFile }
      await expectStartError('signer', another, /PKCS11_CERTIFICATE_FILE/)
      const pin = { PKCS11_PIN_FILE: await write('pin', secret) }
      await expectStartError('signer', { ...settings, ...pin }, /is not the one in PKCS11_PIN_FILE/)
      await token.dispose()
    })

    test('NATS without JetStream, or that does not know the password', async () => {
      const port = await findFreePort()
      const file = await write('nats.conf', `listen: "127.0.0.1:${port}"\n`)
      const probe = () => probeTcp(port, '', /^INFO /)
      const args = ['--config', file]
      stopLater(
        await launch({ server: 'nats-server', port, args, folder, ownFolder: false, probe }),
      )
      const plain = { ...caller, NATS_URL: `nats://127.0.0.1:${port}` }
      await expectStartError('clearance', plain, /^NATS_URL: .* has no JetStream/)
      const own = stopLater(await startNats({ credentials: { user: 'bus', password: 'right' } }))
      const wrong = {
        ...caller,
        NATS_URL: own.url,
        NATS_USER: 'bus',
        NATS_PASSWORD_FILE: await write('nats.password', secret),
      }
      await expectStartError(
        'clearance',
        wrong,
        /^NATS_URL: the server rejected the user or password/,
      )
    })
  },
)
