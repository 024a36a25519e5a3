/** Traces never cost an invoice anything, survive a kill, and hold nothing that is secret. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '@einvoicing/servers/ports'
import { disposeAfter } from '../stack/dispose-after'
import { startCollector, type Behaviour, type Collector } from '../stack/collector'
import { eventually } from '@einvoicing/servers/eventually'
import { requestJson, send } from '../stack/http'
import { aLine, anInvoice } from '../stack/invoices'
import { newOrganization } from '../stack/organization'
import { startStandalone, type Standalone } from '../stack/standalone'

const away = 'trace collector unreachable'
const back = 'trace collector reachable again'

const linesWith = (stack: Standalone, words: string) =>
  stack
    .output()
    .split('\n')
    .filter((line) => line.includes(words))

function startTraced(
  collector: Collector,
  env: Readonly<Record<string, string>> = {},
): Promise<Standalone> {
  const settings = { LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env }
  return startStandalone({ env: settings })
}

async function withCollector(
  env: Readonly<Record<string, string>>,
  work: (stack: Standalone, collector: Collector) => Promise<void>,
): Promise<void> {
  const collector = await startCollector()
  const stack = await startTraced(collector, env)
  try {
    await work(stack, collector)
  } finally {
    await stack.dispose()
    await collector.close()
  }
}

describe('a collector that', () => {
  type Change = () => unknown
  const disposed = disposeAfter(afterAll)
  let collector: Collector
  let stack: Standalone
  beforeAll(async () => {
    collector = await startCollector()
    stack = disposed(await startTraced(collector))
  }, 300_000)
  afterAll(() => collector.close())

  const behaving =
    (behaviour: Behaviour): Change =>
    () =>
      collector.behave(behaviour)
  const troubles: [string, Change, Change][] = [
    ['is unreachable', () => collector.close(), () => collector.open()],
    ['is broken', behaving({ status: 500 }), behaving('takes')],
    ['refuses', behaving({ status: 401 }), behaving('takes')],
    ['hangs', behaving('hangs'), behaving('takes')],
  ]

  test.each(troubles)(
    '%s fails nothing, and is logged once',
    async (_, trouble, repair) => {
      const before = linesWith(stack, away).length
      expect(linesWith(stack, back)).toHaveLength(before)
      await trouble()
      const { invoices } = await newOrganization(stack)
      const creations = async () => {
        for (let count = 0; count < 5; count += 1) await invoices.created()
      }
      await creations()
      await eventually(async () => expect(linesWith(stack, away)).toHaveLength(before + 1))
      await creations()
      await repair()
      await eventually(async () => {
        await invoices.created()
        expect(linesWith(stack, back)).toHaveLength(before + 1)
      })
      expect(linesWith(stack, away)).toHaveLength(before + 1)
    },
    240_000,
  )

  test('hangs does not delay a stop for long', async () => {
    collector.behave('hangs')
    const { invoices } = await newOrganization(stack)
    await invoices.decided((await invoices.created()).id)
    // It exits with 1 when a stop takes 20 s.
    expect((await stack.stop()).code).toBe(0)
  }, 120_000)
})

test('what ended before a stop is sent', async () => {
  await withCollector({}, async (stack, collector) => {
    const { invoices } = await newOrganization(stack)
    const { id } = await invoices.created()
    await stack.stop()
    const ids = collector.spans.map(({ attributes }) => attributes['einvoicing.invoice.id'])
    expect(ids).toContain(id)
  })
}, 120_000)

test('a kill between the answer and the decision does not cut the trace', async () => {
  await withCollector({}, async (stack, collector) => {
    const { invoices } = await newOrganization(stack)
    const traceId = 'a'.repeat(31) + 'b'
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
    const { data } = await invoices.create(anInvoice(), { headers })
    await stack.kill9()
    const before = new Set(collector.spans.map(({ resource }) => resource['service.instance.id']))
    await stack.restart()
    const spans = await collector.until((all) =>
      all.some(({ name, traceId: id }) => name === 'archive final' && id === traceId),
    )
    const after = spans.filter(({ resource }) => !before.has(resource['service.instance.id']))
    const names = after.filter((span) => span.traceId === traceId).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['process invoice.signed', 'draw pdf']))
    expect((await invoices.read(data.id)).data.status).toBe('ACCEPTED')
  })
}, 240_000)

test('without a collector the SDK is never loaded', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-modules-'))
  const hook = path.join(folder, 'loaded.cjs')
  await writeFile(
    hook,
    `process.on('exit', () => process.stderr.write(Object.keys(require.cache).join('\\n')))`,
  )
  const loadedWith = async (env: Readonly<Record<string, string>>) => {
    const stack = await startStandalone({ env: { ...env, NODE_OPTIONS: `--require ${hook}` } })
    const { invoices } = await newOrganization(stack)
    await invoices.created()
    const { stderr } = await stack.stop()
    await stack.dispose()
    return stderr.split('\n').filter((file) => /@opentelemetry.(sdk|exporter|otlp|res)/.test(file))
  }
  const url = `http://127.0.0.1:${await findFreePort()}`
  expect((await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).length).toBeGreaterThan(0)
  expect(await loadedWith({})).toEqual([])
  await rm(folder, { recursive: true })
}, 240_000)

test('no key, no body and no name is in any log line or span', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-headers-'))
  const headersFile = path.join(folder, 'headers')
  await writeFile(headersFile, 'x-collector-key=Collectors%2CKey\n')
  const env = { LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_HEADERS_FILE: headersFile }
  await withCollector(env, async (stack, collector) => {
    const { invoices, key, session } = await newOrganization(stack)
    const marked = { buyerName: 'Monsieur Personne', buyerAddress: 'Rue du Secret' }
    const lines = [aLine({ description: 'Texte confidentiel' })]
    const created = await invoices.created({ ...marked, lines })
    await invoices.decided(created.id)
    const body = anInvoice({ ...marked, lines, currency: 'Personne' })
    await invoices.create(body)
    await invoices.create('{"buyerName":"Monsieur Personne"')
    await send('GET', `${stack.baseUrl}/v1/${key.key}?key=${key.key}`, { key: key.key })
    await send(key.key.slice(0, 6).toUpperCase().replace('_', 'X'), `${stack.baseUrl}/v1/invoices`)
    const credentials = { email: session.email, password: 'a wrong Motdepasse' }
    await requestJson('POST', `${stack.baseUrl}/dashboard/api/session`, {
      body: credentials,
      headers: { 'X-Requested-With': 'dashboard' },
    })
    const cookie = session.cookie.split('=')[1]!
    const token = 'a-reset-token-that-was-guessed-of-43-chars0'
    await session.call('POST', '/password/reset', { body: { token, password: 'new password 77' } })
    await session.call('GET', `/session?token=${token}`)
    const invited = await session.welcome('MEMBER')
    await session.call('DELETE', '/session')
    await collector.until((spans) => spans.some(({ name }) => name === 'draw qr'))
    await stack.stop()
    const reported = stack.output() + collector.exports.map((one) => one.body).join('\n')
    expect(reported).toContain(created.id)
    const secrets = ['Personne', 'du Secret', 'confidentiel', key.key, 'Motdepasse']
    const others = [session.email, session.password, cookie, token, invited.password]
    for (const secret of [...secrets, ...others, 'Collectors', 'Collectors%2CKey']) {
      expect(reported).not.toContain(secret)
    }
    for (const { headers } of collector.exports) {
      expect(headers['x-collector-key']).toBe('Collectors,Key')
    }
  })
  await rm(folder, { recursive: true })
}, 240_000)
