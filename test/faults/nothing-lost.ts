/**
 * What must hold after whatever happened under a patient client's load: each invoice it knows of is
 * there, whole, decided, and once in the audit.
 */

import type { Organization } from '../stack/organization'
import type { PersistentLoad } from './persistent-load'
import { expectAudit, expectDocuments, listAll, untilAllDecided } from './record'

/** Answers how many invoices the organization has: the platform must have been sent as many. */
export async function expectNothingLost(
  { acknowledged, wrong }: PersistentLoad,
  organization: Organization,
  decidedWithinMs = 180_000,
): Promise<number> {
  const { invoices } = organization
  expect(wrong).toEqual([])
  const all = await untilAllDecided(invoices, decidedWithinMs)
  const ids = new Set((await listAll(invoices)).map(({ id }) => id))
  const missing = acknowledged.filter(({ id }) => !ids.has(id))
  const read = await Promise.all(missing.map(({ id }) => invoices.read(id)))
  expect(read.map(({ code }, index) => `${missing[index]?.invoiceNumber}: ${code}`)).toEqual([])
  expect(all.filter(({ status }) => status !== 'ACCEPTED')).toEqual([])
  await expectDocuments(invoices, all)
  await expectAudit(organization, all)
  return all.length
}
