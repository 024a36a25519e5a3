import { eventually } from '@einvoicing/servers/eventually'
import { send } from '../stack/http'
import { finalStatuses } from '../stack/invoices'
import { onEveryStack, onOwnStack } from '../stack/on-every-stack'
import { newOrganization, type Organization } from '../stack/organization'
import { requireSimulator, type Stack } from '../stack/stack'

async function simulator(stack: Stack, method: string, path: string, body?: unknown): Promise<any> {
  const { status, bytes } = await send(method, `${requireSimulator(stack)}${path}`, {
    ...(body !== undefined && { body }),
  })
  return { status, ...JSON.parse(bytes.toString()) }
}

const actions = async ({ session }: Organization, invoiceId: string): Promise<any[]> => {
  const { data } = await session.call('GET', '/audit?size=100')
  return data.content.filter((entry: any) => entry.invoiceId === invoiceId).reverse()
}

onEveryStack('clearance', (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const decided = async (buyerIce: string, withinMs = 60_000) => {
    const { id } = await organization.invoices.created({ buyerIce })
    return organization.invoices.decided(id, withinMs)
  }

  test('accepts within seconds and fills the clearance fields', async () => {
    const made = await organization.invoices.created()
    const invoice = await organization.invoices.decided(made.id)
    expect(invoice).toMatchObject({
      status: 'ACCEPTED',
      dgiReference: expect.stringMatching(/./),
      dgiQrCode: expect.stringMatching(/^https?:\/\//),
      dgiQrPayload: expect.stringMatching(/./),
    })
    expect(invoice.dgiErrorCode ?? null).toBeNull()
    expect(invoice.dgiErrorMessage ?? null).toBeNull()
    const { data } = await organization.invoices.status(made.id)
    expect(data).toMatchObject({
      id: made.id,
      status: 'ACCEPTED',
      dgiReference: invoice.dgiReference,
      dgiQrPayload: invoice.dgiQrPayload,
      dgiSubmittedAt: invoice.dgiSubmittedAt,
      dgiValidatedAt: invoice.dgiValidatedAt,
    })
    expect(data.dgiRejectedAt ?? null).toBeNull()
    const moments = [made.createdAt, data.dgiSubmittedAt, data.dgiValidatedAt, invoice.updatedAt]
    expect(moments.map((moment) => new Date(moment).toISOString())).toEqual(moments)
    expect([...moments].sort()).toEqual(moments)
  })

  test('the QR leads to a page of the platform that knows it; a forged one does not', async () => {
    const { id } = await organization.invoices.created()
    const { dgiQrCode, dgiQrPayload, dgiReference } = await organization.invoices.decided(id)
    expect(dgiReference).toMatch(/^SIM-/)
    const scanned = await send('GET', dgiQrCode)
    expect([scanned.status, scanned.bytes.toString()]).toEqual([
      200,
      expect.stringContaining(dgiReference),
    ])
    const verify = `${requireSimulator(stack())}/verify?p=`
    const genuine = await send('GET', verify + encodeURIComponent(dgiQrPayload))
    expect(genuine.status).toBe(200)
    expect(genuine.bytes.toString()).toContain(dgiReference)
    for (const forged of [`${dgiQrPayload.slice(0, -3)}AAA`, 'x', '', 'a.b.c', '<script>']) {
      const page = await send('GET', verify + encodeURIComponent(forged))
      expect(page.status).toBeLessThan(500)
      expect(page.bytes.toString()).not.toContain(dgiReference)
      expect(page.bytes.toString()).not.toContain('<script>')
    }
  })

  test.each([
    ['101', 'BUYER_UNKNOWN'],
    ['104', 'PERIOD_CLOSED'],
    ['105', 'DUPLICATE_INVOICE'],
    ['106', 'INVALID_SIGNATURE'],
    ['109', 'AMOUNT_MISMATCH'],
    ['113', 'PROCESSING_ERROR'],
  ])('buyer …%s is rejected with %s', async (digits, code) => {
    const invoice = await decided(`000000000000${digits}`)
    expect(invoice).toMatchObject({ status: 'REJECTED', dgiErrorCode: code })
    const { data } = await organization.invoices.status(invoice.id)
    expect(data).toMatchObject({
      status: 'REJECTED',
      dgiErrorCode: code,
      dgiErrorMessage: expect.stringMatching(/.../),
      dgiRejectedAt: expect.stringMatching(/Z$/),
    })
    expect([data.dgiReference ?? null, data.dgiValidatedAt ?? null]).toEqual([null, null])
    const qr = await organization.invoices.at(`${invoice.id}/qr`, 'GET')
    expect([qr.status, qr.code]).toEqual([409, 'ARTEFACT_NOT_AVAILABLE'])
    expect(await organization.invoices.resubmit(invoice.id)).toMatchObject({
      status: 409,
      code: 'INVOICE_NOT_RESUBMITTABLE',
    })
    expect((await organization.invoices.artefact(invoice.id, 'pdf')).status).toBe(200)
  })

  // Concurrently: each invoice waits only for its own retry.
  test('whatever the platform does on the first attempt, the second is accepted', async () => {
    const digits = ['203', '401', '409', '413', '422', '429', '500', '502', '503', '504', '601']
    const buyers = [...digits, '602', '603'].map((last) => `000000000000${last}`)
    const invoices = await Promise.all(buyers.map((buyerIce) => decided(buyerIce, 60_000)))
    expect(invoices.map(({ buyerIce, status }) => [buyerIce, status])).toEqual(
      buyers.map((buyerIce) => [buyerIce, 'ACCEPTED']),
    )
  })

  test('an undecided invoice delays no other one', async () => {
    const stuck = await organization.invoices.created({ buyerIce: '000000000000202' })
    await eventually(async () => {
      expect((await organization.invoices.status(stuck.id)).data.status).toBe('TRANSMITTED')
    })
    const other = await organization.invoices.created()
    expect((await organization.invoices.decided(other.id)).status).toBe('ACCEPTED')
    const { data } = await organization.invoices.status(stuck.id)
    expect([data.status, data.dgiSubmittedAt]).toEqual(['TRANSMITTED', expect.stringMatching(/Z$/)])
  })

  test('each transition has one audit entry, which continues the previous one', async () => {
    const accepted = await organization.invoices.created()
    await organization.invoices.decided(accepted.id)
    const story = async (id: string) =>
      (await actions(organization, id)).map(({ action, from, to }) => [action, from, to])
    expect(await story(accepted.id)).toEqual([
      ['invoice.created', null, 'SIGNED'],
      ['invoice.transmitted', 'SIGNED', 'TRANSMITTED'],
      ['invoice.accepted', 'TRANSMITTED', 'ACCEPTED'],
    ])
    const draft = await organization.invoices.created({ draft: true })
    await organization.invoices.change(draft.id, { buyerName: 'x' })
    await organization.invoices.cancel(draft.id)
    expect(await story(draft.id)).toEqual([
      ['invoice.created', null, 'PENDING'],
      ['invoice.updated', null, null],
      ['invoice.cancelled', 'PENDING', 'CANCELLED'],
    ])
    const [created] = await actions(organization, accepted.id)
    expect(created.actor).toBe(`api-key:${organization.key.id}`)
  })
})

onOwnStack('the platform counts', {}, (stack) => {
  test('there is one submission per signed invoice', async () => {
    const { invoices } = await newOrganization(stack())
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, at) => invoices.created({ draft: at % 3 === 0 })),
    )
    const signed = made.filter(({ status }) => status === 'SIGNED')
    await Promise.all(signed.map(({ id }) => invoices.decided(id)))
    expect((await simulator(stack(), 'GET', '/v1/submissions')).total).toBe(signed.length)
  })
})

onOwnStack('giving up', { CLEARANCE_GIVE_UP_AFTER_SECONDS: '10' }, (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  test('a technical failure beyond the limit becomes FAILED; a resubmission starts again', async () => {
    const { invoices } = organization
    await simulator(stack(), 'PUT', '/v1/behaviour', { errorRate: 1 })
    const { id } = await invoices.created()
    const failed = await invoices.decided(id, 60_000)
    expect(failed.status).toBe('FAILED')
    const { data } = await invoices.status(id)
    expect(data).toMatchObject({
      dgiErrorCode: expect.stringMatching(/^[A-Z_]+$/),
      dgiErrorMessage: expect.stringMatching(/.../),
    })
    expect(finalStatuses).toContain(data.status)
    expect(await invoices.change(id, { buyerName: 'x' })).toMatchObject({
      code: 'INVOICE_NOT_EDITABLE',
    })
    const qr = await invoices.at(`${id}/qr`, 'GET')
    expect([qr.status, qr.code]).toEqual([409, 'ARTEFACT_NOT_AVAILABLE'])

    await simulator(stack(), 'PUT', '/v1/behaviour', { errorRate: 0 })
    await eventually(async () => {
      const again = await invoices.resubmit(id)
      expect([again.status, again.data?.status]).toEqual([200, 'SIGNED'])
    })
    const settled = await invoices.accepted(id)
    expect(settled.dgiErrorCode ?? null).toBeNull()
    expect((await simulator(stack(), 'GET', '/v1/submissions')).total).toBe(1)
    const story = (await actions(organization, id)).map(({ action }) => action)
    expect(story.slice(0, 1)).toEqual(['invoice.created'])
    expect(story).toContain('invoice.failed')
    expect(story).toContain('invoice.resubmitted')
    expect(story.at(-1)).toBe('invoice.accepted')
  }, 120_000)

  test('without a decision it ends FAILED too, while others continue', async () => {
    const { invoices } = organization
    const stuck = await invoices.created({ buyerIce: '000000000000202' })
    const other = await invoices.created()
    await invoices.accepted(other.id)
    expect((await invoices.decided(stuck.id, 75_000)).status).toBe('FAILED')
  })
})
