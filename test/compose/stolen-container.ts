import { requestJson } from '../stack/http'
import { stackSecrets, type ComposeStack } from './compose-stack'
import { asOnce, readHoldings, inContainer } from './inside'

export function describeStolenContainers(running: () => ComposeStack): void {
  describe('a stolen container', () => {
    let stack: ComposeStack
    beforeAll(() => {
      stack = running()
    })

    const handed = {
      'gateway-1': ['caller-gateway-*', 'session', 'valkey-password', 'verify'],
      organizations: ['api-key-pepper', 'caller-*', 'mongodb-organizations', 'second-factor-key'],
      invoices: ['caller-*', 'mongodb-invoices', 'nats-invoices'],
      signer: ['caller-invoices-signer'],
      artefacts: [
        'caller-gateway-artefacts',
        'caller-invoices-artefacts',
        'caller-organizations-artefacts',
        's3',
        'verify',
      ],
      clearance: ['caller-clearance-invoices', 'nats-clearance'],
      simulator: [],
    }

    test('holds its own secrets, and no root key anywhere', async () => {
      const roots = await stackSecrets(stack, ['s3-root', 'mongodb-admin', 'mongodb-members'])
      expect(roots.length).toBeGreaterThanOrEqual(3)
      for (const [name, expected] of Object.entries(handed)) {
        const { names, text } = await readHoldings(stack.container(name))
        const allowed = new RegExp(`^(${expected.join('|').replaceAll('*', '[a-z-]+')})$`)
        expect([name, names.filter((secret) => !allowed.test(secret))]).toEqual([name, []])
        for (const root of roots) expect(text.includes(root)).toBe(false)
      }
    })

    test('deletes nothing from the archive, not even with the root key', async () => {
      const key = 'artefacts /run/secrets/s3'
      expect(await inContainer(stack.container('artefacts'), 'archive', key)).toBe('Access Denied.')
      const root = 'root /run/secrets/s3-root'
      const { text } = await stack.compose(...asOnce('s3-user', 'archive', root))
      expect(text).toContain('WORM protected')
    })

    test('reads no database but its own, and empties no stream', async () => {
      const outcomes = await inContainer(stack.container('organizations'), 'database')
      expect(outcomes).toBe('done Unauthorized Unauthorized Unauthorized')
      const outcome = await inContainer(stack.container('clearance'), 'events')
      expect(outcome).toContain('Permissions Violation')
    })

    test('of a gateway shows metrics and details on the operations port alone', async () => {
      for (const url of stack.urls) {
        expect((await requestJson('GET', `${url}/metrics`)).status).toBe(404)
        expect((await requestJson('GET', `${url}/readyz`)).data).toEqual({ status: 'ready' })
      }
      const page = (path: string) =>
        inContainer(stack.container('gateway-1'), 'page', `http://127.0.0.1:9106${path}`)
      expect(await page('/metrics')).toMatch(/^# HELP /)
      expect(JSON.parse(await page('/readyz'))).toMatchObject({
        dependencies: { organizations: 'ok', invoices: 'ok', artefacts: 'ok' },
      })
    })
  })
}
