import { anInvoice } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { onEveryStack } from '../stack/on-every-stack'

onEveryStack('isolation of organizations', (stack) => {
  let owner: Organization
  let stranger: Organization
  let signed: any
  let draft: any
  beforeAll(async () => {
    owner = await newOrganization(stack())
    stranger = await newOrganization(stack())
    signed = await owner.invoices.created()
    draft = await owner.invoices.created({ draft: true })
    await owner.invoices.decided(signed.id)
  })

  const notFound = { status: 404, code: 'INVOICE_NOT_FOUND' }

  test.each(['', '/status', '/pdf', '/xml', '/qr'])('GET :id%s', async (path) => {
    for (const { id } of [signed, draft]) {
      expect(await stranger.invoices.at(`${id}${path}`, 'GET')).toMatchObject(notFound)
    }
  })

  test('GET :id with the address in capitals is not found either', async () => {
    const { status } = await stranger.invoices.read(signed.id.toUpperCase())
    expect(status).toBe(404)
  })

  test('PUT, DELETE, sign and resubmit', async () => {
    for (const { id } of [signed, draft]) {
      expect(await stranger.invoices.change(id, { buyerName: 'Me' })).toMatchObject(notFound)
      expect(await stranger.invoices.change(id, { nonsense: 1 })).toMatchObject(notFound)
      expect(await stranger.invoices.cancel(id)).toMatchObject(notFound)
      expect(await stranger.invoices.sign(id)).toMatchObject(notFound)
      expect(await stranger.invoices.resubmit(id)).toMatchObject(notFound)
    }
    expect((await owner.invoices.read(draft.id)).data).toMatchObject({
      status: 'PENDING',
      buyerName: null,
      updatedAt: draft.updatedAt,
    })
  })

  test('lists, by any filter', async () => {
    expect((await stranger.invoices.list()).data.totalElements).toBe(0)
    const { data } = await stranger.invoices.list({ invoiceNumber: signed.invoiceNumber })
    expect(data.totalElements).toBe(0)
  })

  test('a number is unique within an organization only', async () => {
    const { status } = await stranger.invoices.create(
      anInvoice({ invoiceNumber: signed.invoiceNumber }),
    )
    expect(status).toBe(201)
  })

  test('the dashboard: reads, artefacts, keys, audit, invoices', async () => {
    for (const path of ['', '/pdf', '/xml', '/qr']) {
      const answer = await stranger.session.call('GET', `/invoices/${signed.id}${path}`)
      expect(answer).toMatchObject(notFound)
    }
    const revoked = await stranger.session.call('DELETE', `/api-keys/${owner.key.id}`)
    expect([revoked.status, revoked.code]).toEqual([404, 'API_KEY_NOT_FOUND'])
    expect((await owner.invoices.list()).status).toBe(200)

    const audit = await stranger.session.call('GET', '/audit?size=100')
    expect(JSON.stringify(audit.data)).not.toContain(signed.id)
    expect(JSON.stringify(audit.data)).not.toContain(owner.key.id)
  })

  test('an organization named in a request is an error', async () => {
    const body = { ...anInvoice(), organizationId: owner.id }
    expect(await stranger.invoices.create(body)).toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})
