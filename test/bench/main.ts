/**
 * What this machine does, beside floors measured in the same run: `npm run bench -- --help`.
 * Measurements compare within a run only.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureBombs } from './bombs'
import { measureCreations, measureGrid, type Grid, type Plan } from './creations'
import { measureEvidence } from './evidence'
import { EverythingOn } from './everything-on'
import { measureFinished, measureLatency, type Burst } from './finished'
import { countDurableAppends, countSignatures } from './floors/raw'
import { measureGrowth } from './growth'
import { measureLists } from './lists'
import { runOverload } from './overload'
import { toMarkdown, type Table } from './report'
import type { Kind } from './subject'

const sections = [
  'machine',
  'creations',
  'finished',
  'latency',
  'grid',
  'lists',
  'growth',
  'overload',
  'bombs',
  'evidence',
]

const usage = `npm run bench -- [--quick] [--stack standalone|services] [--json FILE] [SECTION …]

Sections: ${sections.join(', ')}.
All of them unless named. --quick takes less than three minutes: the first four alone, fewer rounds
and floors, and one warm stack for all that is measured with everything on.
--json writes the tables to a file, too.
`

const fullPlan: Plan = {
  rounds: 3,
  seconds: 20,
  floorSeconds: 6,
  allFloors: true,
  warmUp: { invoices: 5_000, secondsMax: 60 },
}
const quickPlan: Plan = {
  rounds: 1,
  seconds: 4,
  floorSeconds: 2,
  allFloors: false,
  warmUp: { invoices: 1_500, secondsMax: 6 },
}
const fullBurst: Burst = { seconds: 5, warmUp: 300 }
const quickBurst: Burst = { seconds: 1, warmUp: 100 }
const grid: Grid = {
  connections: [1, 8, 32, 128],
  lines: [1, 10, 100, 1_000],
  algorithms: ['ecp256', 'rsa2048'],
  seconds: 4,
}
const evidenceDocuments = 500
const kinds: readonly Kind[] = ['standalone', 'services']

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      stack: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return void process.stdout.write(usage)
  const { quick, stack } = values
  const plan = quick ? quickPlan : fullPlan
  const tables: Table[] = []
  const print = (...made: readonly Table[]) => {
    tables.push(...made)
    for (const table of made) process.stdout.write(toMarkdown(table))
  }
  const usual = quick ? sections.slice(0, 4) : sections
  const named = positionals.length === 0 ? usual : positionals
  const unknown = named.find((name) => !sections.includes(name))
  if (unknown !== undefined) throw new Error(`there is no section ${unknown}\n${usage}`)
  const wanted = (section: string) => named.includes(section)
  const counts = [1_000, 100_000, ...(quick ? [] : [1_000_000])]

  if (wanted('machine')) print(await measureMachine(quick ? 1 : 3))
  for (const kind of kinds.filter((one) => stack === undefined || stack === one)) {
    const on = new EverythingOn(kind, { isShared: quick })
    try {
      // First: creations leave much that is not finished.
      if (wanted('finished')) print(await measureFinished(on, quick ? quickBurst : fullBurst))
      if (wanted('creations')) print(...(await measureCreations(on, plan)))
      if (wanted('latency')) print(await measureLatency(on, plan))
    } finally {
      await on.dispose()
    }
    if (wanted('grid')) print(await measureGrid(kind, grid, plan))
    if (wanted('lists')) print(await measureLists(kind, counts))
    if (wanted('growth')) print(...(await measureGrowth(kind, counts, plan)))
    if (wanted('overload')) print(await runOverload(kind))
    if (wanted('bombs')) print(await measureBombs(kind))
    if (wanted('evidence') && kind === 'standalone') print(await measureEvidence(evidenceDocuments))
  }
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(tables, undefined, 2))
}

async function measureMachine(seconds: number): Promise<Table> {
  const folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-bench-'))
  try {
    const rows = [
      ['Signatures, P-256', countSignatures('ecp256', seconds)],
      ['Signatures, RSA 2048', countSignatures('rsa2048', seconds)],
      ['Durable appends of 12 KiB', countDurableAppends(folder, seconds)],
    ] as const
    return {
      title: 'The machine',
      note: `${cpus().length} cores, Node ${process.version}; one thread, one after another.`,
      rows: rows.map(([what, perSecond]) => ({ what, 'a second': perSecond })),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
})
