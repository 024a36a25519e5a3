/**
 * Services that are there before their backing services: each opens its health endpoint, says what
 * it waits for, and serves when that comes, whatever comes last.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeWithOwn } from '@einvoicing/servers/describe-with'
import { startMongod } from '@einvoicing/servers/mongod'
import { startNats } from '@einvoicing/servers/nats'
import { findFreePort } from '@einvoicing/servers/ports'
import { startMinio } from '@einvoicing/servers/s3'
import type { Server } from '@einvoicing/servers/server'
import { eventually } from '@einvoicing/servers/eventually'
import { freePlaces } from '../stack/free-places'
import { newOrganization } from '../stack/organization'
import { spawnService, type ServiceProcess } from '../stack/service-process'
import { makeSigningToken, type SigningToken } from '../stack/signing-token'

const mains = ['organizations', 'invoices', 'signer', 'artefacts', 'clearance'] as const
const withinMs = 90_000
const secretKey = 'kept-in-a-file'

describeWithOwn(
  ['mongod', 'nats-server', 'minio', 'softhsm'],
  'before their backing services',
  () => {
    const running: ServiceProcess[] = []
    const servers: Server[] = []
    let folder: string
    let token: SigningToken
    let ports: { mongodb: number; nats: number; s3: number; gateway: number }

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-services-early-'))
      token = await makeSigningToken()
      ports = {
        mongodb: await findFreePort(),
        nats: await findFreePort(),
        s3: await findFreePort(),
        gateway: await findFreePort(),
      }
    })
    afterAll(async () => {
      await Promise.all(running.map((service) => service.signal('SIGTERM')))
      await Promise.all(servers.map((server) => server.dispose()))
      await token.dispose()
      await rm(folder, { recursive: true, force: true })
    })

    const at = (name: string) => path.join(folder, name)
    const write = async (name: string, text: string) => {
      await writeFile(at(name), text, { mode: 0o600 })
      return at(name)
    }
    const serverSettings = async () => ({
      ...token.settings,
      MONGODB_URL: `mongodb://127.0.0.1:${ports.mongodb}/?replicaSet=rs0`,
      NATS_URL: `nats://127.0.0.1:${ports.nats}`,
      S3_URL: `http://127.0.0.1:${ports.s3}`,
      S3_BUCKET: 'archive',
      S3_ACCESS_KEY: 'einvoicing',
      S3_SECRET_KEY_FILE: await write('s3.secret', secretKey),
      CALLER_SECRET_FILE: await write('caller.secret', 'c'.repeat(32)),
      SESSION_SECRET_FILE: await write('session.secret', 's'.repeat(32)),
    })

    /** The gateway first; answers the address of each one's health. */
    async function startServices(): Promise<Record<(typeof mains)[number] | 'gateway', string>> {
      const places = Object.fromEntries(
        await Promise.all(mains.map(async (main) => [main, await freePlaces()] as const)),
      ) as Record<(typeof mains)[number], Awaited<ReturnType<typeof freePlaces>>>
      const settings = {
        ...(await serverSettings()),
        ORGANIZATIONS_ADDRESS: places.organizations.RPC_ADDRESS,
        INVOICES_ADDRESS: places.invoices.RPC_ADDRESS,
        SIGNER_ADDRESS: places.signer.RPC_ADDRESS,
        ARTEFACTS_ADDRESS: places.artefacts.RPC_ADDRESS,
      }
      const gateway = { ...(await freePlaces()), PORT: String(ports.gateway) }
      running.push(spawnService({ main: 'gateway', env: { ...settings, ...gateway } }))
      for (const main of mains) {
        running.push(spawnService({ main, env: { ...settings, ...places[main] } }))
      }
      const endpoints = mains.map(
        (main) => [main, `http://${places[main].HEALTH_ADDRESS}`] as const,
      )
      return {
        ...(Object.fromEntries(endpoints) as Record<(typeof mains)[number], string>),
        gateway: `http://127.0.0.1:${ports.gateway}`,
      }
    }

    test('services wait with their endpoints open, and serve when the last one comes', async () => {
      await token.remove()
      const endpoints = await startServices()
      await expectWaiting(endpoints.organizations, 'mongodb')
      await expectWaiting(endpoints.invoices, 'mongodb')
      await expectWaiting(endpoints.signer, 'pkcs11')
      await expectWaiting(endpoints.artefacts, 's3')
      await expectWaiting(endpoints.clearance, 'nats')
      await expectWaiting(endpoints.gateway, 'waits for mongodb')

      servers.push(await startMinio({ folder: at('s3'), port: ports.s3, secretKey }))
      await expectReady(endpoints.artefacts)
      servers.push(await startNats({ folder: at('nats'), port: ports.nats }))
      await expectReady(endpoints.clearance)
      await token.restore()
      await expectReady(endpoints.signer)
      await expectWaiting(endpoints.gateway, 'waits for mongodb')
      servers.push(await startMongod({ folder: at('mongodb'), port: ports.mongodb }))
      for (const endpoint of Object.values(endpoints)) await expectReady(endpoint)

      const { invoices } = await newOrganization({ baseUrl: endpoints.gateway })
      expect((await invoices.created()).status).toBe('SIGNED')
      expect(running.filter((service) => !service.isRunning())).toEqual([])
    }, 180_000)
  },
)

async function readyz(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(10_000) })
  return { status: answer.status, text: await answer.text() }
}

async function expectWaiting(url: string, word: string): Promise<void> {
  await eventually(async () => {
    const { status, text } = await readyz(url)
    expect([status, text]).toEqual([503, expect.stringContaining(word)])
  }, withinMs)
}

async function expectReady(url: string): Promise<void> {
  await eventually(async () => expect((await readyz(url)).status).toBe(200), withinMs)
}
