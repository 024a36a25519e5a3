import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { SignerService } from '@einvoicing/proto/signer'
import { makeAuthority } from '@einvoicing/servers/certificates'
import { EnvReader } from '@einvoicing/runtime/env'
import { createLog } from '@einvoicing/runtime/log'
import type { Service } from './call'
import { connectRpc } from './client'
import type { PeerNames } from './prove-callers'
import { serveRpc } from './server'
import type { Closable } from '@einvoicing/runtime/serve'
import { openCredentials, readTlsConfig } from './tls'
import type { TlsConfig } from './tls-files'

const callerSecrets = { shared: ['the secret all services share'] } as const
const log = createLog('silent')
let logged = ''
const stream = new PassThrough().on('data', (line: Buffer) => (logged += line.toString()))
const opened: Closable[] = []
let signer: TlsConfig
let invoices: TlsConfig
let clearance: TlsConfig
let stranger: TlsConfig

beforeAll(async () => {
  const [ours, another] = [await makeAuthority('ours'), await makeAuthority('another')]
  signer = await ours.issue('signer')
  invoices = await ours.issue('invoices')
  clearance = await ours.issue('clearance', { names: ['clearance', 'invoicesx', 'x.invoices'] })
  stranger = await another.issue('invoices')
})

afterAll(async () => {
  for (const part of opened) await part.close()
})

function openTestCredentials(tls: TlsConfig | undefined) {
  const credentials = openCredentials(tls, log)
  opened.push(credentials)
  return credentials
}

async function serve(tls: TlsConfig, peerNames?: PeerNames): Promise<number> {
  const handlers: Service<SignerService> = {
    signDocument: () => Promise.reject(new Error('not asked')),
    getCertificate: async () => ({ notAfter: '2030-01-01T00:00:00.000Z' }),
    checkSigner: async () => ({ dependencies: [] }),
  }
  const server = await serveRpc(SignerService, handlers, {
    name: 'signer',
    address: '127.0.0.1:0',
    callerSecrets,
    credentials: openTestCredentials(tls).server,
    peerNames,
    log: createLog('warn', stream),
  })
  opened.push(server)
  return server.port
}

function check(port: number, tls: TlsConfig | undefined): Promise<unknown> {
  const credentials = openTestCredentials(tls).channel
  const client = connectRpc(SignerService, {
    address: `dns:localhost:${port}`,
    callerSecrets,
    credentials,
  })
  opened.push(client)
  return client.service.checkSigner(
    {},
    {
      caller: { service: 'invoices', actor: 'service:invoices' },
      requestId: 'r',
      deadline: Date.now() + 20_000,
    },
  )
}

test('both ends prove their identity by a certificate of a trusted authority', async () => {
  const port = await serve(signer)
  await expect(check(port, invoices)).resolves.toEqual({ dependencies: [] })
})

test('no other client is admitted, and no other server is trusted', async () => {
  const port = await serve(signer)
  const unavailable = { code: 'SERVICE_UNAVAILABLE' }
  await expect(check(port, undefined)).rejects.toMatchObject(unavailable)
  await expect(check(port, stranger)).rejects.toMatchObject(unavailable)
  const { authorityFile } = invoices
  const asStranger = { ...stranger, authorityFile }
  await expect(check(port, asStranger)).rejects.toMatchObject(unavailable)
  await expect(check(await serve(stranger), invoices)).rejects.toMatchObject(unavailable)
})

test('a certificate of our authority is valid for the service that it names only', async () => {
  const port = await serve(signer)
  await expect(check(port, signer)).rejects.toMatchObject({ code: 'CALLER_REFUSED' })
  await expect(check(port, clearance)).rejects.toMatchObject({ code: 'CALLER_REFUSED' })
  expect(logged).toMatch(
    /the certificate is for localhost, clearance, invoicesx, x.invoices, but the token is from invoices: give each service/,
  )
  await expect(check(await serve(signer, 'any'), clearance)).resolves.toEqual({ dependencies: [] })
})

test('the authority is renewed while services are one step apart', async () => {
  const [old, next] = [await makeAuthority('old'), await makeAuthority('next')]
  const names = { names: ['signer', 'invoices'] }
  const [byOld, byNext] = [await old.issue('service', names), await next.issue('service', names)]
  const authorityFile = path.join(path.dirname(byOld.certificateFile), 'both.pem')
  await writeFile(
    authorityFile,
    [await readFile(byOld.authorityFile), await readFile(byNext.authorityFile)].join(''),
  )
  const steps = [byOld, { ...byOld, authorityFile }, { ...byNext, authorityFile }, byNext]
  for (const [step, before] of steps.slice(0, -1).entries()) {
    const after = steps[step + 1]!
    await expect(check(await serve(before), after)).resolves.toEqual({ dependencies: [] })
    await expect(check(await serve(after), before)).resolves.toEqual({ dependencies: [] })
  }
  const unavailable = { code: 'SERVICE_UNAVAILABLE' }
  await expect(check(await serve(byOld), byNext)).rejects.toMatchObject(unavailable)
})

test('half-set, unreadable or unfit files are reported by their settings', () => {
  const problem = (settings: NodeJS.ProcessEnv) => () => {
    const env = new EnvReader(settings)
    void openCredentials(readTlsConfig(env), log).close()
    env.throwErrors()
  }
  const all = {
    TLS_CERTIFICATE_FILE: signer.certificateFile,
    TLS_KEY_FILE: signer.keyFile,
    TLS_CA_FILE: signer.authorityFile,
  }
  expect(problem({})).not.toThrow()
  expect(problem(all)).not.toThrow()
  expect(problem({ TLS_KEY_FILE: signer.keyFile })).toThrow(/wants all of TLS_CERTIFICATE_FILE/)
  expect(problem({ ...all, TLS_CA_FILE: '/not/there' })).toThrow(/TLS_CA_FILE cannot be used/)
  expect(problem({ ...all, TLS_KEY_FILE: __filename })).toThrow(/TLS_KEY_FILE cannot be used/)
  expect(problem({ ...all, TLS_KEY_FILE: invoices.keyFile })).toThrow(/do not fit together/)
})
