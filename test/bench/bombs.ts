/** What creations notice of files made to hurt that others post to `/v1/verify`. */

import { makeBombs, postBombs } from '../stack/bombs'
import { startOpenLoop, type LoopFound } from '../stack/open-loop'
import { newOrganization } from '../stack/organization'
import { withSubject } from './creations'
import type { Table } from './report'
import type { Kind } from './subject'

const clients = 20
const load = { perSecond: 50, patienceMs: 5_000 } as const
const seconds = { warmUp: 5, measured: 15 } as const

export async function measureBombs(kind: Kind): Promise<Table> {
  const rows = await withSubject(kind, {}, async ({ url, key }) => {
    const hostile = await newOrganization({ baseUrl: url })
    const { id } = await hostile.invoices.created()
    const bombs = makeBombs((await hostile.invoices.bytes(id, 'xml')).toString())
    const loop = await startOpenLoop({ url, key, connections: 50 })
    try {
      await loop.run({ ...load, seconds: seconds.warmUp })
      const alone = await loop.run({ ...load, seconds: seconds.measured })
      let isOver = false
      const target = { url, key: hostile.key.key, clients }
      const bombing = postBombs(target, bombs, () => isOver)
      const beside = await loop.run({ ...load, seconds: seconds.measured })
      isOver = true
      const { answers } = await bombing
      return [row('alone', alone, []), row(`beside ${clients} clients`, beside, answers)]
    } finally {
      loop.close()
    }
  })
  return {
    title: `Creations beside bombs at /v1/verify, ${kind}`,
    note: `${load.perSecond} creations a second are offered for ${seconds.measured} s. The clients share the machine, and post one file after another.`,
    rows,
  }
}

function row(
  what: string,
  found: LoopFound,
  answers: readonly { status: number }[],
): Table['rows'][number] {
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  return {
    what,
    'created a second': found.goodPerSecond,
    'p50 ms': found.goodP50Ms,
    'p99 ms': found.goodP99Ms,
    'not created': found.offered - found.good,
    'bombs answered 200': count(200),
    'bombs answered 503': count(503),
  }
}
