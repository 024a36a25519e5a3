/** An audit log of long entries on MongoDB: no page is larger than a message between services. */

import { describeWith } from '@einvoicing/servers/describe-with'
import { databaseDefault } from '@einvoicing/stores/mongo-config'
import { MongoClient } from 'mongodb'
import { disposeAfter } from '../stack/dispose-after'
import { newOrganization, type Organization } from '../stack/organization'
import { borrowServices } from '../stack/per-run/shared-stack'
import { backingServices, readPorts } from '../stack/services'

const count = 10_000
const newestMs = Date.parse('2020-01-31T00:00:00.000Z')

describeWith(backingServices, 'an audit log of entries of 5 kB', () => {
  const disposed = disposeAfter(afterAll)
  let organization: Organization

  beforeAll(async () => {
    const services = disposed(await borrowServices())
    organization = await newOrganization(services)
    const { mongodb } = await readPorts(services.dataDir)
    const client = await new MongoClient(
      `mongodb://127.0.0.1:${mongodb}/?directConnection=true`,
    ).connect()
    const entries = Array.from({ length: count }, (_, index) => ({
      // Older than the chain, so that none needs its place in it.
      _id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}` as never,
      organizationId: organization.id,
      at: new Date(newestMs - index * 1_000).toISOString(),
      actor: 'service:clearance',
      action: 'invoice.accepted',
      detail: 'x'.repeat(5_000),
    }))
    await client.db(databaseDefault).collection('invoice_audit').insertMany(entries)
    await client.close()
  }, 300_000)

  const query = '/audit?to=2020-01-31'

  test('has its last page', async () => {
    const { status, data } = await organization.session.call('GET', `${query}&page=99&size=100`)
    expect(status).toBe(200)
    expect(data.totalElements).toBe(count)
    expect(data.content.map(({ at }: { at: string }) => Date.parse(at))).toEqual(
      Array.from({ length: 100 }, (_, index) => newestMs - (9_900 + index) * 1_000),
    )
  }, 60_000)

  test('has many deep pages at once', async () => {
    const pages = Array.from({ length: 20 }, (_, index) => 80 + index)
    const answers = await Promise.all(
      pages.map((page) => organization.session.call('GET', `${query}&page=${page}&size=100`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200))
  }, 60_000)
})
