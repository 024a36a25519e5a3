/**
 * Mutual TLS between all services, with two gateways: invoices are made as ever, a stranger is
 * neither let in nor believed, and the gateways count the requests of a key together.
 */

import path from 'node:path'
import { everyService, makeAuthority, type Issued } from '@einvoicing/servers/certificates'
import { inBatches } from '@einvoicing/servers/in-batches'
import { describeWith } from '@einvoicing/servers/describe-with'
import { findFreePort } from '@einvoicing/servers/ports'
import { eventually } from '@einvoicing/servers/eventually'
import { disposeAfter } from '../stack/dispose-after'
import { freePlaces } from '../stack/free-places'
import { requestJson } from '../stack/http'
import { newOrganization } from '../stack/organization'
import { spawnService, type ServiceProcess } from '../stack/service-process'
import { backingServices, startServices, type Services } from '../stack/services'

const perMinute = 300

describeWith(backingServices, 'services as processes, by mutual TLS', () => {
  const disposed = disposeAfter(afterAll)
  let services: Services
  let ours: Issued
  let stranger: Issued
  let ports: Record<string, number>
  const strangers: ServiceProcess[] = []

  beforeAll(async () => {
    const [authority, another] = [await makeAuthority('ours'), await makeAuthority('another')]
    ours = await authority.issue('services', { names: everyService })
    const { certificateFile, keyFile } = await another.issue('services', { names: everyService })
    stranger = { certificateFile, keyFile, authorityFile: ours.authorityFile }
    const env = { ...toSettings(ours), RATE_LIMIT_PER_MINUTE: String(perMinute) }
    services = disposed(await startServices({ gateways: 2, env }))
    ports = await services.ports()
  }, 300_000)
  afterEach(async () => {
    await Promise.all(strangers.splice(0).map((service) => service.signal('SIGTERM')))
  })

  const secretFile = (name: string) => path.join(services.dataDir, 'secrets', name)
  const at = (service: string) => `127.0.0.1:${ports[service]}`

  /** A gateway of our own beside the others; answers its address. */
  async function startGateway(settings: Readonly<Record<string, string>>): Promise<string> {
    const port = String(await findFreePort())
    const env = {
      ...(await freePlaces()),
      PORT: port,
      CALLER_SECRETS_DIR: path.join(services.dataDir, 'secrets'),
      SESSION_SECRET_FILE: secretFile('session.secret'),
      ORGANIZATIONS_ADDRESS: at('organizations'),
      INVOICES_ADDRESS: at('invoices'),
      ARTEFACTS_ADDRESS: at('artefacts'),
      ...settings,
    }
    strangers.push(spawnService({ main: 'gateway', env }))
    return `http://127.0.0.1:${port}`
  }

  test('an invoice is cleared, and its documents can be downloaded', async () => {
    const { invoices } = await newOrganization(services)
    const { id } = await invoices.created()
    expect((await invoices.decided(id, 60_000)).status).toBe('ACCEPTED')
    for (const kind of ['xml', 'pdf', 'qr'] as const) {
      expect((await invoices.bytes(id, kind)).length).toBeGreaterThan(200)
    }
  })

  test.each([
    ['with a certificate of another authority', () => toSettings(stranger)],
    ['without a certificate', () => ({})],
  ])('a gateway %s is rejected by every service, and /readyz names them', async (_, settings) => {
    const url = await startGateway(settings())
    await eventually(async () => {
      const ready = await requestJson('GET', `${url}/readyz`)
      expect(ready.status).toBe(503)
      expect(ready.errors?.map(({ field }) => field)).toEqual(['organizations', 'invoices'])
    })
    const { key } = await newOrganization(services)
    const { status, headers } = await requestJson('GET', `${url}/v1/invoices`, { key: key.key })
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
  })

  test('a service with a certificate of another authority is rejected', async () => {
    const places = await freePlaces()
    const env = {
      ...places,
      ...toSettings(stranger),
      CALLER_SECRETS_DIR: path.join(services.dataDir, 'secrets'),
      DATA_DIR: path.join(services.dataDir, 'stranger'),
    }
    strangers.push(spawnService({ main: 'artefacts', env }))
    await eventually(async () => {
      expect((await fetch(`http://${places.HEALTH_ADDRESS}/readyz`)).status).toBe(200)
    })
    const there = { ...toSettings(ours), ARTEFACTS_ADDRESS: places.RPC_ADDRESS }
    const url = await startGateway(there)
    await eventually(async () => {
      expect((await requestJson('GET', `${url}/readyz`)).data).toMatchObject({
        status: 'degraded',
        dependencies: { organizations: 'ok', invoices: 'ok', artefacts: 'is not available' },
      })
    })
  })

  /** Of more requests than a new key may make in a minute, at both gateways. */
  async function countServed(): Promise<number> {
    const { key } = await newOrganization(services)
    const codes: string[] = []
    await inBatches(Array.from({ length: perMinute + 100 }), async (_, at) => {
      const url = services.urls[at % 2]!
      codes.push((await requestJson('GET', `${url}/v1/invoices?size=1`, { key: key.key })).code)
    })
    const served = codes.filter((code) => code === 'OK').length
    expect(codes.filter((code) => code === 'API_KEY_RATE_LIMITED').length + served).toBe(
      codes.length,
    )
    return served
  }

  test(`two gateways together answer ${perMinute} requests of a key a minute`, async () => {
    // An answer of Redis that is late leaves the count to the gateway alone.
    const togetherMax = perMinute + 30
    const rounds = [await countServed()]
    while (Math.min(...rounds) >= togetherMax && rounds.length < 4) rounds.push(await countServed())
    expect(Math.min(...rounds)).toBeLessThan(togetherMax)
    expect(Math.min(...rounds)).toBeGreaterThanOrEqual(perMinute)
  })
})

function toSettings({ certificateFile, keyFile, authorityFile }: Issued) {
  return {
    TLS_CERTIFICATE_FILE: certificateFile,
    TLS_KEY_FILE: keyFile,
    TLS_CA_FILE: authorityFile,
  }
}
