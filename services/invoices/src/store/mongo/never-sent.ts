import type { Mongo } from '@einvoicing/stores/mongo'
import { fulfilled, Grouped } from './grouped'
import { getInvoiceCollection } from './schema'
import type { InvoiceStore } from '../store'

const take = { $unset: { neverSent: 1 } } as const
/** One at a time: of two that want the same mark, one would lose all of its marks. */
const options = { batchMax: 32, batchesAtOnce: 1 } as const
/** Marks have no index: a page reads all its invoices, also large ones, within one write. */
const marksAtOnce = 100

interface Wanted {
  organizationId: string
  invoiceId: string
}

export function neverSentMarks(
  mongo: Mongo,
): Pick<InvoiceStore, 'takeNeverSent' | 'takeEveryNeverSent'> {
  const taken = new Grouped((wanted: readonly Wanted[]) => takeSome(mongo, wanted), options)
  return {
    takeNeverSent: (organizationId, invoiceId) => taken.add({ organizationId, invoiceId }),
    async takeEveryNeverSent() {
      let after: string | undefined = ''
      while (after !== undefined) after = await takePage(mongo, after)
    },
  }
}

async function takeSome(mongo: Mongo, wanted: readonly Wanted[]) {
  const ids = [...new Set(wanted.map(({ invoiceId }) => invoiceId))]
  const marked = await mongo.read((db) =>
    getInvoiceCollection(db)
      .find({ _id: { $in: ids }, neverSent: true }, { projection: { organizationId: 1 } })
      .toArray(),
  )
  const organizations = new Map(marked.map(({ _id, organizationId }) => [_id, organizationId]))
  const first = new Map<string, Wanted>()
  for (const one of wanted) {
    const isMarked = organizations.get(one.invoiceId) === one.organizationId
    if (isMarked && !first.has(one.invoiceId)) first.set(one.invoiceId, one)
  }
  const areTaken = first.size > 0 && (await takeMarks(mongo, [...first.keys()]))
  return wanted.map((one) => fulfilled(areTaken && first.get(one.invoiceId) === one))
}

/** False if another process took some of them: which ones, no answer says. */
async function takeMarks(mongo: Mongo, ids: readonly string[]): Promise<boolean> {
  const marked = { _id: { $in: [...ids] }, neverSent: true } as const
  // A lost answer counts as taken: a repeated call finds no mark.
  const { matchedCount } = await mongo.write((db) =>
    getInvoiceCollection(db).updateMany(marked, take),
  )
  return matchedCount === ids.length
}

async function takePage(mongo: Mongo, after: string): Promise<string | undefined> {
  return mongo.write(async (db) => {
    const invoices = getInvoiceCollection(db)
    const hint = '_id_'
    const last = await invoices.findOne(
      { _id: { $gt: after } },
      { projection: { _id: 1 }, sort: { _id: 1 }, skip: marksAtOnce - 1, hint },
    )
    const page = { $gt: after, ...(last && { $lte: last._id }) }
    await invoices.updateMany({ _id: page, neverSent: true }, take, { hint })
    return last?._id
  })
}
