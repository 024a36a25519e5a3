import { SignerService } from '@einvoicing/proto/signer'
import { makeAuthority } from '@einvoicing/servers/certificates'
import { EnvReader } from './env'
import { createLog } from './log'
import type { Service } from './rpc'
import { connectRpc } from './rpc-client'
import { serveRpc } from './rpc-server'
import type { Closable } from './serve'
import { openCredentials, readTlsConfig, type TlsConfig } from './tls'

const callerSecrets = ['the secret all services share'] as const
const opened: Closable[] = []
let signer: TlsConfig
let invoices: TlsConfig
let stranger: TlsConfig

beforeAll(async () => {
  const [ours, another] = [await makeAuthority('ours'), await makeAuthority('another')]
  signer = await ours.issue('signer')
  invoices = await ours.issue('invoices')
  stranger = await another.issue('invoices')
})

afterAll(async () => {
  for (const part of opened) await part.close()
})

async function serve(tls: TlsConfig): Promise<number> {
  const handlers: Service<SignerService> = {
    signDocument: () => Promise.reject(new Error('not asked')),
    checkSigner: async () => ({ dependencies: [] }),
  }
  const server = await serveRpc(SignerService, handlers, {
    name: 'signer',
    address: '127.0.0.1:0',
    callerSecrets,
    admitted: ['invoices'],
    credentials: openCredentials(tls).server,
    log: createLog('silent'),
  })
  opened.push(server)
  return server.port
}

function check(port: number, tls: TlsConfig | undefined): Promise<unknown> {
  const credentials = openCredentials(tls).channel
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
      deadline: Date.now() + 2_000,
    },
  )
}

test('each end proves itself by a certificate of the authority both trust', async () => {
  const port = await serve(signer)
  await expect(check(port, invoices)).resolves.toEqual({ dependencies: [] })
})

test('nobody else is let in, and no other server is believed', async () => {
  const port = await serve(signer)
  const unavailable = { code: 'SERVICE_UNAVAILABLE' }
  await expect(check(port, undefined)).rejects.toMatchObject(unavailable)
  await expect(check(port, stranger)).rejects.toMatchObject(unavailable)
  const { authorityFile } = invoices
  const asStranger = { ...stranger, authorityFile }
  await expect(check(port, asStranger)).rejects.toMatchObject(unavailable)
  await expect(check(await serve(stranger), invoices)).rejects.toMatchObject(unavailable)
})

test('half-set, unreadable or unfit files are told by their settings', () => {
  const fault = (settings: NodeJS.ProcessEnv) => () => {
    const env = new EnvReader(settings)
    openCredentials(readTlsConfig(env))
    env.settle()
  }
  const all = {
    TLS_CERTIFICATE_FILE: signer.certificateFile,
    TLS_KEY_FILE: signer.keyFile,
    TLS_CA_FILE: signer.authorityFile,
  }
  expect(fault({})).not.toThrow()
  expect(fault(all)).not.toThrow()
  expect(fault({ TLS_KEY_FILE: signer.keyFile })).toThrow(/wants all of TLS_CERTIFICATE_FILE/)
  expect(fault({ ...all, TLS_CA_FILE: '/not/there' })).toThrow(/TLS_CA_FILE cannot be used/)
  expect(fault({ ...all, TLS_KEY_FILE: __filename })).toThrow(/TLS_KEY_FILE cannot be used/)
  expect(fault({ ...all, TLS_KEY_FILE: invoices.keyFile })).toThrow(/do not fit together/)
})
