import { requestJson } from '../stack/http'
import { anInvoice } from '../stack/invoices'
import { onEveryStack } from '../stack/on-every-stack'
import { newOrganization, signUp, type Organization } from '../stack/organization'

onEveryStack('invoices by session', (stack) => {
  let organization: Organization
  beforeAll(async () => {
    organization = await newOrganization(stack())
  })

  const call = (method: string, path: string, body?: object, headers = {}) =>
    organization.session.call(method, path, { headers, ...(body && { body }) })
  const draft = async () => (await call('POST', '/invoices', { ...anInvoice(), draft: true })).data

  test('one is created, read at its Location, cleared, and audited with its author', async () => {
    const made = await call('POST', '/invoices', anInvoice())
    expect([made.status, made.data.status]).toEqual([201, 'SIGNED'])
    const location = made.headers.get('location')
    expect(location).toBe(`/dashboard/api/invoices/${made.data.id}`)
    expect((await call('GET', `/invoices/${made.data.id}`)).data.id).toBe(made.data.id)
    const decided = await organization.invoices.decided(made.data.id)
    expect(decided).toMatchObject({ status: 'ACCEPTED', organizationId: organization.id })

    const { data } = await call('GET', '/audit?size=100')
    const created = data.content.find(({ invoiceId, action }: any) => {
      return invoiceId === made.data.id && action === 'invoice.created'
    })
    expect(created.actor).toBe(`user:${organization.session.email}`)
  })

  test('they are those of /v1, with their artefacts', async () => {
    const { session, invoices } = organization
    const { id, invoiceNumber } = await invoices.created()
    const made = await invoices.decided(id)
    const list = await call('GET', `/invoices?invoiceNumber=${invoiceNumber}`)
    expect(list.data).toMatchObject({ totalElements: 1, content: [{ id }] })
    const { data } = await call('GET', `/invoices/${id}`)
    // Its time stamp may come between two reads.
    expect([made, (await invoices.read(id)).data]).toContainEqual(data)
    for (const kind of ['pdf', 'xml', 'qr'] as const) {
      const bytes = await invoices.bytes(id, kind)
      const { bytes: bySession } = await session.download(`/invoices/${id}/${kind}`)
      expect(bySession.equals(bytes)).toBe(true)
    }
  })

  test('a draft is edited, signed and cancelled, with the same errors as by key', async () => {
    const [one, other] = [await draft(), await draft()]
    const edited = await call('PUT', `/invoices/${one.id}`, { buyerName: 'Par session' })
    expect(edited.data).toMatchObject({ buyerName: 'Par session', status: 'PENDING' })
    expect((await call('POST', `/invoices/${one.id}/sign`)).data.status).toBe('SIGNED')
    expect((await call('DELETE', `/invoices/${other.id}`)).data.status).toBe('CANCELLED')

    for (const [method, path, body] of [
      ['PUT', one.id, { buyerName: 'B' }],
      ['DELETE', one.id],
      ['POST', `${one.id}/sign`],
    ] as const) {
      const { status, code, message } = await call(method, `/invoices/${path}`, body)
      expect([status, code]).toEqual([409, 'INVOICE_NOT_EDITABLE'])
      expect(message).toMatch(/SIGNED|TRANSMITTED|ACCEPTED/)
    }
    const again = await call('POST', `/invoices/${other.id}/resubmit`)
    expect([again.status, again.code]).toEqual([409, 'INVOICE_NOT_RESUBMITTABLE'])
    const taken = await call('POST', '/invoices', anInvoice({ invoiceNumber: one.invoiceNumber }))
    expect([taken.status, taken.code]).toEqual([409, 'INVOICE_NUMBER_EXISTS'])
    const wrong = await call('POST', '/invoices', anInvoice({ currency: 'x' }))
    expect([wrong.status, wrong.errors?.[0]?.field]).toEqual([400, 'currency'])
  })

  test('another organization’s is not found', async () => {
    const stranger = await signUp(stack())
    const { id } = await draft()
    for (const [method, path] of [
      ['GET', id],
      ['DELETE', id],
      ['POST', `${id}/sign`],
    ] as const) {
      const { status, code } = await stranger.call(method, `/invoices/${path}`)
      expect([status, code]).toEqual([404, 'INVOICE_NOT_FOUND'])
    }
  })

  test('with incomplete legal details nothing is signed, and the missing ones are listed', async () => {
    const newcomer = await signUp(stack())
    const { status, code, errors } = await newcomer.call('POST', '/invoices', { body: anInvoice() })
    expect([status, code]).toEqual([409, 'MISSING_LEGAL_MENTIONS'])
    expect(errors?.map(({ field }) => field)).toContain('ice')
  })

  test('a change of an older version is an error that says who changed it and when', async () => {
    const { id, updatedAt } = await draft()
    const from = (version: string) => ({ 'If-Match': `"${version}"` })
    const first = await call('PUT', `/invoices/${id}`, { buyerName: 'Un' }, from(updatedAt))
    expect([first.status, first.data.buyerName]).toEqual([200, 'Un'])

    const second = await call('PUT', `/invoices/${id}`, { buyerName: 'Deux' }, from(updatedAt))
    expect([second.status, second.code]).toEqual([412, 'INVOICE_CHANGED'])
    expect(second.message).toContain(
      `changed by ${organization.session.email} at ${first.data.updatedAt}`,
    )
    expect(second.message).toContain('Read it again')
    expect((await call('GET', `/invoices/${id}`)).data.buyerName).toBe('Un')

    // As a program does, by key.
    const url = `${stack().baseUrl}/v1/invoices/${id}`
    const { key } = organization.key
    const send = (version: string) =>
      requestJson('PUT', url, {
        key,
        body: { buyerName: 'Trois' },
        headers: { 'If-Match': version },
      })
    expect((await send(`"${updatedAt}"`)).code).toBe('INVOICE_CHANGED')
    expect((await send(`"${first.data.updatedAt}"`)).status).toBe(200)
    expect((await send('*')).status).toBe(200)
    const last = await call('PUT', `/invoices/${id}`, {}, from(first.data.updatedAt))
    expect(last.message).toContain(`changed by the API key ${organization.key.id} at `)
    for (const version of ['', 'x', 'W/"x"', '""', '"a", "b"']) {
      const { status, errors } = await send(version)
      expect([version, status, errors?.[0]?.field]).toEqual([version, 400, 'If-Match'])
    }
  })

  test('a draft that was changed after it was read is not signed', async () => {
    const { id, updatedAt } = await draft()
    const sign = (version: string) =>
      call('POST', `/invoices/${id}/sign`, undefined, { 'If-Match': version })
    const changed = await call('PUT', `/invoices/${id}`, { buyerName: 'Un' })
    expect(await sign(`"${updatedAt}"`)).toMatchObject({ status: 412, code: 'INVOICE_CHANGED' })
    expect(await sign(updatedAt)).toMatchObject({ status: 400, errors: [{ field: 'If-Match' }] })
    expect((await call('GET', `/invoices/${id}`)).data.status).toBe('PENDING')
    expect((await sign(`"${changed.data.updatedAt}"`)).data.status).toBe('SIGNED')
  })

  test('a draft that was changed after it was read is not cancelled', async () => {
    const { id, updatedAt } = await draft()
    const cancel = (version: string) =>
      call('DELETE', `/invoices/${id}`, undefined, { 'If-Match': version })
    const changed = await call('PUT', `/invoices/${id}`, { buyerName: 'Un' })
    expect(await cancel(`"${updatedAt}"`)).toMatchObject({ status: 412, code: 'INVOICE_CHANGED' })
    expect(await cancel(updatedAt)).toMatchObject({ status: 400, errors: [{ field: 'If-Match' }] })
    expect((await call('GET', `/invoices/${id}`)).data.status).toBe('PENDING')
    const asRead = `"${changed.data.updatedAt}"`
    expect((await cancel(asRead)).data.status).toBe('CANCELLED')
    for (const version of [asRead, 'x']) {
      expect(await cancel(version)).toMatchObject({ status: 409, code: 'INVOICE_NOT_EDITABLE' })
    }
  })

  test('a version that never was is not reported as a change', async () => {
    const { id, updatedAt } = await draft()
    const headers = { 'If-Match': `"${updatedAt.replace(/\.\d+Z$/, 'Z')}"` }
    const { status, message } = await call('DELETE', `/invoices/${id}`, undefined, headers)
    expect([status, message]).toEqual([412, expect.stringContaining('is not the updatedAt')])
  })

  test('of many concurrent changes of one version, one succeeds', async () => {
    const { id, updatedAt } = await draft()
    const headers = { 'If-Match': `"${updatedAt}"` }
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        call('PUT', `/invoices/${id}`, { buyerName: `Client ${at}` }, headers),
      ),
    )
    const changed = answers.filter(({ status }) => status === 200)
    expect(changed).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'INVOICE_CHANGED')).toHaveLength(11)
    expect((await call('GET', `/invoices/${id}`)).data.buyerName).toBe(changed[0]!.data.buyerName)
  })
})
