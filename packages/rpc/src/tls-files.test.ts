import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { SignerService } from '@einvoicing/proto/signer'
import { makeAuthority, type Issued } from '@einvoicing/servers/certificates'
import * as grpc from '@grpc/grpc-js'
import { createLog } from '@einvoicing/runtime/log'
import { metrics } from '@einvoicing/runtime/metrics'
import { connectRpc } from './client'
import { serveRpc } from './server'
import type { Closable } from '@einvoicing/runtime/serve'
import { TlsFiles, type TlsConfig } from './tls-files'

const callerSecrets = { shared: ['the secret all services share'] } as const
const allNames = ['certificateFile', 'keyFile', 'authorityFile'] as const
let folder: string
let logged: string
let opened: Closable[]
let first: Issued
let second: Issued
let files: TlsConfig

beforeAll(async () => {
  const [one, two] = [await makeAuthority('one'), await makeAuthority('two')]
  first = await one.issue('invoices')
  second = await two.issue('invoices')
})

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-tls-files-'))
  const file = (name: string) => path.join(folder, name)
  files = {
    certificateFile: file('certificate.pem'),
    keyFile: file('key.pem'),
    authorityFile: file('authority.pem'),
  }
  ;[logged, opened] = ['', []]
  await put(first)
})
afterEach(async () => {
  for (const part of opened.reverse()) await part.close()
  await rm(folder, { recursive: true })
})

/** As a renewal does. */
async function put(issued: Issued, names: readonly (keyof TlsConfig)[] = allNames) {
  for (const name of names) await copyFile(issued[name], files[name])
}

function open(now?: () => Date): TlsFiles {
  const stream = new PassThrough().on('data', (line: Buffer) => (logged += line.toString()))
  const provider = new TlsFiles(files, createLog('info', stream), now)
  opened.push(provider)
  return provider
}

async function serve(provider: TlsFiles): Promise<number> {
  const server = await serveRpc(
    SignerService,
    {
      signDocument: () => Promise.reject(new Error('not asked')),
      getCertificate: async () => ({ notAfter: '2030-01-01T00:00:00.000Z' }),
      checkSigner: async () => ({ dependencies: [] }),
    },
    {
      name: 'signer',
      address: '127.0.0.1:0',
      callerSecrets,
      credentials: grpc.experimental.createCertificateProviderServerCredentials(
        provider,
        provider,
        true,
      ),
      log: createLog('silent'),
    },
  )
  opened.push(server)
  return server.port
}

async function isLetIn(port: number, config: TlsConfig): Promise<boolean> {
  const provider = new TlsFiles(config, createLog('silent'))
  const credentials = grpc.experimental.createCertificateProviderChannelCredentials(
    provider,
    provider,
  )
  const address = `dns:localhost:${port}`
  const client = connectRpc(SignerService, { address, callerSecrets, credentials })
  const call = {
    caller: { service: 'invoices', actor: 'service:invoices' },
    requestId: 'r',
    deadline: Date.now() + 20_000,
  } as const
  const isIn = await client.service.checkSigner({}, call).then(
    () => true,
    () => false,
  )
  client.close()
  provider.close()
  return isIn
}

test('changed files are loaded without a restart, for new connections', async () => {
  const provider = open()
  const port = await serve(provider)
  expect(await isLetIn(port, first)).toBe(true)
  expect(await isLetIn(port, second)).toBe(false)
  await put(second)
  provider.reload()
  expect(await isLetIn(port, second)).toBe(true)
  expect(await isLetIn(port, first)).toBe(false)
  expect(logged).toMatch(
    /"level":"info","time":"[^"]+","validTo":"[^"]+","msg":"TLS files reloaded"/,
  )
})

test('files that do not match yet are logged once, and the previous ones stay in use', async () => {
  const provider = open()
  const port = await serve(provider)
  await put(second, ['keyFile'])
  provider.reload()
  expect(logged).toMatch(/"level":"warn".*do not fit together.*still using the previous ones/)
  expect(await isLetIn(port, first)).toBe(true)
  await rm(files.keyFile)
  provider.reload()
  expect(logged.match(/"level":"warn"/g)).toHaveLength(1)
  expect(await isLetIn(port, first)).toBe(true)
  await put(second)
  provider.reload()
  expect(logged).toMatch(/"failures":2,.*"msg":"TLS files can be used again"/)
  expect(await isLetIn(port, second)).toBe(true)
})

test('a certificate that expires within thirty days is logged once a day, and exported as a metric', async () => {
  const endsMs = Date.now() + 365 * 86_400_000
  let nowMs = endsMs - 31 * 86_400_000
  const provider = open(() => new Date(nowMs))
  provider.reload()
  expect(logged).toBe('')
  nowMs = endsMs - 29.5 * 86_400_000
  provider.reload()
  provider.reload()
  expect(
    logged.match(/"daysLeft":29,"msg":"a certificate in TLS_C\w+_FILE ends soon/g),
  ).toHaveLength(2)
  nowMs = endsMs + 86_400_000
  provider.reload()
  expect(logged).toMatch(/a certificate in TLS_CA_FILE has ended: renew it/)
  const reported = await metrics.getSingleMetricAsString(
    'einvoicing_tls_certificate_expires_timestamp_seconds',
  )
  const [, seconds = ''] = /certificate="service"\} (\d+)/.exec(reported) ?? []
  expect(Math.abs(Number(seconds) * 1_000 - endsMs)).toBeLessThan(600_000)
})
