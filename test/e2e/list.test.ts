import { randomUUID } from 'node:crypto'
import { aLine } from '../stack/invoices'
import { newOrganization, type Organization } from '../stack/organization'
import { onEveryStack } from '../stack/on-every-stack'

const sortable = [
  'createdAt',
  'updatedAt',
  'invoiceDate',
  'dueDate',
  'invoiceNumber',
  'status',
  'buyerName',
  'amountHt',
  'amountVat',
  'amountTtc',
]

onEveryStack('lists', (stack) => {
  let organization: Organization
  const made: any[] = []
  const list = (query?: Parameters<Organization['invoices']['list']>[0]) =>
    organization.invoices.list(query)

  // Drafts do not change while they are listed; they tie on every property except the number.
  beforeAll(async () => {
    organization = await newOrganization(stack())
    for (let index = 0; index < 25; index += 1) {
      made.push(
        await organization.invoices.created({
          draft: true,
          invoiceDate: `2026-01-${String(10 + (index % 5)).padStart(2, '0')}`,
          lines: [aLine({ unitPrice: 100 * (index % 4) })],
          ...(index % 3 > 0 && { buyerName: `Client ${index % 3}`, dueDate: '2026-02-01' }),
          ...(index % 2 > 0 && { buyerIce: '002345678000045' }),
        }),
      )
    }
  })

  const walk = async (query: Record<string, string | number>) => {
    const ids: string[] = []
    for (let page = 0; ; page += 1) {
      const { data } = await list({ ...query, page })
      ids.push(...data.content.map(({ id }) => id))
      if (data.last) return ids
    }
  }

  test('is searched by number, buyer and ICE, in any case, with other filters and page by page', async () => {
    const listIds = (wanted: (invoice: any) => boolean) =>
      made
        .filter(wanted)
        .map(({ id }) => id)
        .sort()
    const isClient1 = ({ buyerName }: any) => buyerName === 'Client 1'
    expect((await walk({ search: 'cLIENT 1', size: 3 })).sort()).toEqual(listIds(isClient1))
    const [{ invoiceNumber, id }] = made
    expect(await walk({ search: invoiceNumber.slice(1).toLowerCase() })).toContain(id)
    const hasIce = ({ buyerIce }: any) => buyerIce !== null
    expect((await walk({ search: '00234' })).sort()).toEqual(listIds(hasIce))
    expect(await walk({ search: '02345' })).toEqual([])
    const both = { search: '00234', invoiceDateTo: '2026-01-11', sort: 'amountTtc,asc' }
    expect((await walk(both)).sort()).toEqual(
      listIds((one) => hasIce(one) && one.invoiceDate <= '2026-01-11'),
    )
    const bySession = await organization.session.call('GET', '/invoices?search=CLIENT%201')
    expect(bySession.data.totalElements).toBe(listIds(isClient1).length)
    for (const search of ['', ' ', 'x'.repeat(101)]) {
      const rejected = await list({ search })
      expect([rejected.status, rejected.errors?.map(({ field }) => field)]).toEqual([
        400,
        ['search'],
      ])
    }
  })

  test('has 20 a page, the newest first, and its position', async () => {
    const { status, data } = await list()
    expect(status).toBe(200)
    expect(data).toMatchObject({
      page: 0,
      size: 20,
      totalElements: 25,
      totalPages: 2,
      first: true,
      last: false,
    })
    expect(Object.keys(data).sort().join()).toBe(
      'content,first,last,page,size,totalElements,totalPages',
    )
    const moments = data.content.map(({ createdAt }) => createdAt)
    expect(moments).toEqual([...moments].sort().reverse())
    expect((await list({ page: 1 })).data).toMatchObject({ page: 1, first: false, last: true })
  })

  test('contains invoices without their lines', async () => {
    const { data } = await list({ size: 1 })
    expect(data.content[0]).not.toHaveProperty('lines')
    expect(data.content[0]).toMatchObject({ status: 'PENDING', amountTtc: expect.any(Number) })
  })

  test('a page past the end is empty, with true totals', async () => {
    const { status, data } = await list({ page: 7, size: 10 })
    expect([status, data.content]).toEqual([200, []])
    expect(data).toMatchObject({ page: 7, totalElements: 25, totalPages: 3, last: true })
  })

  test.each(sortable.flatMap((property) => [`${property},asc`, `${property},desc`]))(
    'sorted by %s, pages never overlap and miss nothing',
    async (sort) => {
      const ids = await walk({ sort, size: 4 })
      expect([...ids].sort()).toEqual(made.map(({ id }) => id).sort())
      expect(ids).toEqual((await list({ sort, size: 100 })).data.content.map(({ id }) => id))
    },
  )

  test.each(['amountHt', 'amountTtc', 'invoiceDate', 'invoiceNumber', 'createdAt'])(
    'sorts by the value of %s, both ways',
    async (property) => {
      const values = async (direction: string) =>
        (await list({ sort: `${property},${direction}`, size: 100 })).data.content.map(
          (invoice) => invoice[property],
        )
      const up = await values('asc')
      const inOrder = [...up].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(up).toEqual(inOrder)
      expect(await values('desc')).toEqual(inOrder.reverse())
    },
  )

  test('filters by number, buyer, dates and status, alone and together', async () => {
    const total = async (query: Record<string, string>) => (await list(query)).data.totalElements
    const matching = (test: (invoice: any) => boolean) => made.filter(test).length
    const isBuyer = ({ buyerIce }: any) => buyerIce === '002345678000045'
    expect(await total({ invoiceNumber: made[3].invoiceNumber })).toBe(1)
    expect(await total({ invoiceNumber: made[3].invoiceNumber.slice(0, -1) })).toBeLessThan(2)
    expect(await total({ buyerIce: '002345678000045' })).toBe(matching(isBuyer))
    expect(await total({ status: 'PENDING' })).toBe(25)
    expect(await total({ status: 'ACCEPTED' })).toBe(0)
    const range = { invoiceDateFrom: '2026-01-11', invoiceDateTo: '2026-01-12' }
    const inRange = ({ invoiceDate }: any) =>
      invoiceDate >= '2026-01-11' && invoiceDate <= '2026-01-12'
    expect(await total(range)).toBe(matching(inRange))
    expect(await total({ ...range, buyerIce: '002345678000045' })).toBe(
      matching((invoice) => inRange(invoice) && isBuyer(invoice)),
    )
  })

  test('an empty list has no pages and is first and last', async () => {
    const { data } = await list({ status: 'REJECTED' })
    expect(data).toMatchObject({
      content: [],
      totalElements: 0,
      totalPages: 0,
      first: true,
      last: true,
    })
  })

  test.each(['PENDING', 'SIGNED', 'TRANSMITTED', 'ACCEPTED', 'REJECTED', 'FAILED', 'CANCELLED'])(
    'status %s is a filter',
    async (status) => expect((await list({ status })).status).toBe(200),
  )

  test('page size goes from 1 to 100', async () => {
    expect((await list({ size: 1 })).data.content).toHaveLength(1)
    expect((await list({ size: 100 })).data.content).toHaveLength(25)
    for (const size of ['0', '101', '-1', '1.5', 'x', '', '1e1', '0x10', ' 5', '9'.repeat(30)]) {
      const { status, code, errors } = await list({ size })
      expect([status, code, errors?.[0]?.field]).toEqual([400, 'VALIDATION_ERROR', 'size'])
    }
  })

  test.each([
    ['page', ['-1', '1.5', 'x', '', '99999999999999999999', 'NaN']],
    ['status', ['accepted', 'SUBMITTED', 'SIGNING', 'NORMALIZING', '', '1', 'PENDING,SIGNED']],
    [
      'sort',
      [
        'id,asc',
        'createdAt,up',
        'createdAt,asc,desc',
        ',',
        '',
        'organizationId,asc',
        '__proto__,asc',
      ],
    ],
    ['invoiceDateFrom', ['2026-02-30', 'x', '']],
    ['invoiceDateTo', ['2026-02-30', 'x']],
    ['buyerIce', ['12', 'x']],
  ])('an invalid %s is reported by its name', async (name, values) => {
    for (const value of values) {
      const { status, code, errors } = await list({ [name]: value })
      expect([value, status, code, errors?.map(({ field }) => field)]).toEqual([
        value,
        400,
        'VALIDATION_ERROR',
        [name],
      ])
    }
  })

  test('all errors of a query are reported at once', async () => {
    const { errors } = await list('page=-1&size=0&status=X&sort=x')
    expect(errors?.map(({ field }) => field).sort()).toEqual(['page', 'size', 'sort', 'status'])
  })

  test('a parameter given twice is an error', async () => {
    const { status, code } = await list('page=0&page=1')
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('one invoice is read whole, its status without lines', async () => {
    const [invoice] = made
    const { data } = await organization.invoices.read(invoice.id)
    expect(data).toMatchObject({ id: invoice.id, status: 'PENDING', lines: [{ lineNumber: 1 }] })
    const status = await organization.invoices.status(invoice.id)
    expect(status.data).toMatchObject({ id: invoice.id, status: 'PENDING' })
    for (const name of ['dgiReference', 'dgiQrPayload', 'dgiErrorCode', 'dgiSubmittedAt']) {
      expect(status.data[name] ?? null).toBeNull()
    }
    expect(status.data).not.toHaveProperty('amountTtc')
  })

  test('an unknown or malformed id is not found, on every path', async () => {
    for (const id of [randomUUID(), 'x', '1', '..%2F..', made[0].id.slice(1), '%00', '__proto__']) {
      for (const path of [id, `${id}/status`, `${id}/pdf`, `${id}/xml`, `${id}/qr`]) {
        const { status, code } = await organization.invoices.at(path, 'GET')
        expect([path, status, code]).toEqual([path, 404, 'INVOICE_NOT_FOUND'])
      }
    }
  })
})
