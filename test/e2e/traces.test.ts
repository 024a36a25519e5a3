import { describeWith } from '@einvoicing/servers/describe-with'
import { eventually } from '@einvoicing/servers/eventually'
import { disposeAfter } from '../stack/dispose-after'
import { startCollector, renderTree, type CollectedSpan, type Collector } from '../stack/collector'
import { anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { backingServices, startServices } from '../stack/services'
import type { Stack } from '../stack/stack'
import { startStandalone } from '../stack/standalone'

type Open = (env: Readonly<Record<string, string>>) => Promise<Stack>

describe('standalone', () => followed((env) => startStandalone({ env }), 'in-process'))
describeWith(backingServices, 'services', () => followed((env) => startServices({ env }), 'grpc'))

const scheduleDelayMs = 100
const batchesWithinMs = 8 * scheduleDelayMs
const clientsTrace = '4bf92f3577b34da6a3ce929d0e0e4736'
const clientsSpan = '00f067aa0ba902b7'

function followed(open: Open, rpcSystem: string): void {
  const disposed = disposeAfter(afterAll)
  let collector: Collector
  let stack: Stack
  let organization: Organization

  beforeAll(async () => {
    collector = await startCollector()
    stack = disposed(
      await open({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: String(scheduleDelayMs),
      }),
    )
    organization = await newOrganization(stack)
  }, 300_000)
  afterAll(() => collector.close())

  const create = async (headers: Record<string, string> = {}) => {
    const { data } = await organization.invoices.create(anInvoice(), { headers })
    return data.id as string
  }
  /** The whole trace of an invoice, once its last artefact is drawn. */
  const findTrace = async (invoiceId: string): Promise<CollectedSpan[]> => {
    const begins = ({ attributes, name }: CollectedSpan) =>
      name === 'POST /v1/invoices' && attributes['einvoicing.invoice.id'] === invoiceId
    const within = (spans: CollectedSpan[]) => {
      const traceId = spans.find(begins)?.traceId
      return spans.filter((span) => span.traceId === traceId)
    }
    await collector.until((spans) => {
      const found = within(spans)
      return found.some(({ name }) => name === 'archive final') && isWhole(found)
    })
    // Every process exports its spans when its batch is due, in any order.
    for (let exported = 0; exported < within(collector.spans).length;) {
      exported = within(collector.spans).length
      await new Promise((resolve) => setTimeout(resolve, batchesWithinMs))
    }
    return within(collector.spans)
  }

  test('one POST is one trace up to acceptance, archive and drawing', async () => {
    const id = await create()
    // A busy process may export its spans later than the others.
    await eventually(async () => expectWholeTrace(await findTrace(id)))
  }, 240_000)

  const expectWholeTrace = (spans: readonly CollectedSpan[]) => {
    const path = (...names: string[]) => {
      if (!hasPath(spans, names))
        throw new Error(`no ${names.join(' > ')} in\n${renderTree(spans)}`)
    }
    const creation = ['POST /v1/invoices', 'Invoices/CreateInvoice', 'Invoices/CreateInvoice']
    path('SERVER POST /v1/invoices', 'Organizations/Authenticate', 'Organizations/Authenticate')
    path(...creation, 'INTERNAL NORMALIZING')
    path(...creation, 'INTERNAL SIGNING', 'CLIENT einvoicing.Signer', 'SERVER', 'INTERNAL UBL')
    path(...creation, 'INTERNAL SIGNING', 'CLIENT einvoicing.Signer', 'SERVER', 'signature')
    path(...creation, 'INTERNAL commit')
    path(...creation, 'PRODUCER publish invoice.signed')
    const clearance = [...creation, 'CONSUMER process invoice.signed']
    path(...clearance, 'SUBMITTED', 'Invoices/ReadSignedXml', 'Invoices/ReadSignedXml')
    path(...clearance, 'SUBMITTED', 'CLIENT POST /v1/submissions')
    path(...clearance, 'PRODUCER publish clearance.transmitted')
    path(...clearance, 'CONSUMER process clearance.transmitted')
    path(...clearance, 'CLIENT GET /v1/submissions/{id}')
    path(...clearance, 'CONSUMER process clearance.accepted')
    path(...creation, 'archive signed-xml', 'Artefacts/KeepSignedXml', 'SERVER')
    path(...creation, 'archive final', 'Artefacts/KeepFinal', 'SERVER', 'INTERNAL draw pdf')
    path(...creation, 'archive final', 'Artefacts/KeepFinal', 'SERVER', 'INTERNAL draw qr')
    expect(spans.filter(({ parentSpanId }) => parentSpanId === '')).toHaveLength(1)
    expect(spans.filter(({ isError }) => isError)).toEqual([])
  }

  test('attributes are by the semantic conventions', async () => {
    const id = await create({ 'X-Request-Id': 'followed-1' })
    await eventually(async () => expectAttributes(id, await findTrace(id)))
  }, 240_000)

  const expectAttributes = (id: string, spans: readonly CollectedSpan[]) => {
    const named = (name: string) => spans.find((span) => span.name === name)?.attributes
    expect(named('POST /v1/invoices')).toEqual({
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'http.route': '/v1/invoices',
      'http.response.status_code': 201,
      'einvoicing.request.id': 'followed-1',
      'einvoicing.invoice.id': id,
      'einvoicing.organization.id': organization.id,
    })
    expect(named('einvoicing.Invoices/CreateInvoice')).toMatchObject({
      'rpc.system.name': rpcSystem,
      'rpc.method': 'einvoicing.Invoices/CreateInvoice',
      'rpc.response.status_code': 'OK',
    })
    expect(named('process invoice.signed')).toMatchObject({
      'messaging.destination.name': 'invoice.signed',
      'messaging.operation.type': 'process',
      'messaging.consumer.group.name': 'clearance',
      'einvoicing.invoice.id': id,
    })
    expect(named('POST /v1/submissions')).toEqual({
      'http.request.method': 'POST',
      'url.template': '/v1/submissions',
      'http.response.status_code': 202,
    })
    for (const { resource } of spans) {
      expect(resource).toMatchObject({ 'service.namespace': 'einvoicing' })
      expect(resource).toHaveProperty(['service.name'])
      expect(resource).toHaveProperty(['service.version'], '0.1.0')
      expect(resource).toHaveProperty(['service.instance.id'])
    }
  }

  test("a client's valid traceparent is continued, an invalid one is not", async () => {
    const continued = await create({ traceparent: `00-${clientsTrace}-${clientsSpan}-01` })
    const spans = await findTrace(continued)
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([clientsTrace]))
    expect(spans.filter(({ parentSpanId }) => parentSpanId === clientsSpan)).toHaveLength(1)
    const own = await findTrace(await create({ traceparent: `00-${clientsTrace}-${clientsSpan}` }))
    expect(own[0]!.traceId).not.toBe(clientsTrace)
  })

  test('a draft is followed from its signature', async () => {
    const { invoices } = organization
    const draft = await invoices.created({ draft: true })
    await invoices.sign(draft.id)
    await collector.until((all) => {
      const isOfDraft = ({ attributes }: CollectedSpan) =>
        attributes['einvoicing.invoice.id'] === draft.id
      const signed = all.find(
        (span) => span.name === 'POST /v1/invoices/:id/sign' && isOfDraft(span),
      )
      const names = all.filter(({ traceId }) => traceId === signed?.traceId).map(({ name }) => name)
      return ['SIGNING', 'SUBMITTED', 'draw pdf', 'archive final'].every((name) =>
        names.includes(name),
      )
    })
  })

  test('health checks leave no spans', async () => {
    await fetch(`${stack.baseUrl}/readyz`)
    await fetch(`${stack.baseUrl}/metrics`)
    await findTrace(await create())
    expect(collector.spans.filter(({ name }) => /Check|readyz|metrics/.test(name))).toEqual([])
  })
}

/** Whether each of these spans is the parent of the next. */
/** Both ends of each connection between processes have been exported. */
function isWhole(spans: readonly CollectedSpan[]): boolean {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const parents = new Set(spans.map(({ parentSpanId }) => parentSpanId))
  return spans.every(
    ({ name, kind, spanId, parentSpanId }) =>
      (ids.has(parentSpanId) || name === 'POST /v1/invoices') &&
      (kind !== 'CLIENT' || !name.startsWith('einvoicing.') || parents.has(spanId)),
  )
}

function hasPath(spans: readonly CollectedSpan[], path: readonly string[]): boolean {
  const below = (parent: CollectedSpan) =>
    spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId)
  const walk = (from: readonly CollectedSpan[], names: readonly string[]): boolean => {
    const [next, ...further] = names
    if (next === undefined) return true
    return from.some(
      (span) => `${span.kind} ${span.name}`.includes(next) && walk(below(span), further),
    )
  }
  return walk(spans, path)
}
