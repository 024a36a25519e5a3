/** Creations a second beside the floors of the same run, and the processor's time for each. */

import { readCpuTimes, type CpuTime } from './cpu'
import type { EverythingOn } from './everything-on'
import { startFloor, type FloorName } from './floors/start-floor'
import { countMongoInserts } from './floors/raw'
import { createInvoices, usualLoad, type Measured } from './load'
import { median, toFigure, type Table } from './report'
import {
  openSubject,
  type Algorithm,
  type Kind,
  type Subject,
  type SubjectOptions,
} from './subject'

export interface Plan {
  rounds: number
  /** Of each measurement. */
  seconds: number
  floorSeconds: number
  /** Or only the one that ours is a share of. */
  allFloors: boolean
  /** Until so many invoices are created, but no longer than so many seconds. */
  warmUp: { invoices: number; secondsMax: number }
}

/** What each is a share of. */
const shareByKind: Readonly<Record<Kind, FloorName>> = {
  standalone: 'Express + UBL + XAdES by hand',
  services: 'Express + 2 bare hops, default window',
}
const floorsByKind: Readonly<Record<Kind, readonly FloorName[]>> = {
  standalone: ['Express POST', 'Express + UBL + XAdES by hand'],
  services: [
    'Express POST',
    'Express + 1 bare hop, default window',
    'Express + 1 bare hop, 8 MiB window',
    'Express + 2 bare hops, default window',
    'Express + 2 bare hops, 8 MiB window',
    'Express + 2 hops with UBL, XAdES and a MongoDB insert',
  ],
}

interface CpuEach {
  name: string
  /** Milliseconds of processor an invoice. */
  ms: number
  mainThreadMs: number
}

interface Round extends Measured {
  cpu: CpuEach[]
}

/** In each round every floor and then ours; what the background costs is measured after them. */
export async function measureCreations(on: EverythingOn, plan: Plan): Promise<Table[]> {
  const { kind } = on
  const floorNames = plan.allFloors ? floorsByKind[kind] : [shareByKind[kind]]
  const floors = new Map<FloorName, Measured[]>()
  let inserts: number | undefined
  const alone = await withSubject(kind, { held: true }, async (subject) => {
    await warmUp(subject, plan.warmUp)
    inserts = await measureInserts(subject, plan)
    const rounds: Round[] = []
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const name of floorNames) {
        const measured = await subject.whileStopped(() => measureFloor(subject, name, plan))
        floors.set(name, [...(floors.get(name) ?? []), measured])
      }
      rounds.push(await measureRound(subject, plan))
    }
    return rounds
  })
  const allOn = await on.use(async (subject) => {
    await warmUp(subject, plan.warmUp)
    const rounds: Round[] = []
    while (rounds.length < plan.rounds) rounds.push(await measureRound(subject, plan))
    return rounds
  })
  const floorRate = median(floors.get(shareByKind[kind])!.map(({ perSecond }) => perSecond))
  const toRow = (what: string, rounds: readonly (Measured & { cpu?: CpuEach[] })[]) => {
    const figure = (pick: (round: Measured) => number, digits = 0) =>
      toFigure(rounds.map(pick), digits)
    const cpu = rounds.flatMap((round) => (round.cpu ? [sumMs(round.cpu)] : []))
    return {
      what,
      'a second': figure(({ perSecond }) => perSecond),
      ratio: figure(({ perSecond }) => perSecond / floorRate, 2),
      'p50 ms': figure(({ p50Ms }) => p50Ms, 1),
      'p99 ms': figure(({ p99Ms }) => p99Ms, 1),
      'CPU ms each': cpu.length > 0 ? toFigure(cpu, 2) : '',
      'refused %': figure(({ refusedShare }) => 100 * refusedShare, 1),
    }
  }
  const { connections, lines } = usualLoad
  return [
    {
      title: `Creations, ${kind}`,
      note: `${connections} connections, ${lines} lines, P-256, ${plan.rounds} rounds of ${plan.seconds} s after ${plan.warmUp.invoices} invoices; the ratio is to "${shareByKind[kind]}". Alone: nothing is cleared, drawn or archived meanwhile.`,
      rows: [
        ...[...floors].map(([name, rounds]) => toRow(name, rounds)),
        ...(inserts === undefined ? [] : [{ what: insertsName, 'a second': inserts }]),
        toRow(`${kind}, alone`, alone),
        toRow(`${kind}, everything on`, allOn),
      ],
    },
    toCpuTable(kind, alone, allOn),
  ]
}

function toCpuTable(kind: Kind, alone: readonly Round[], allOn: readonly Round[]): Table {
  const names = [...new Set([...alone, ...allOn].flatMap(({ cpu }) => cpu.map(({ name }) => name)))]
  const of = (rounds: readonly Round[], name: string, pick: (each: CpuEach) => number) =>
    toFigure(
      rounds.map(({ cpu }) => pick(cpu.find((each) => each.name === name) ?? nothing)),
      2,
    )
  return {
    title: `Processor time for each creation, ${kind}`,
    note: 'Milliseconds, of all threads and of the main one; the load generator is not counted.',
    rows: names.map((name) => ({
      process: name,
      alone: of(alone, name, ({ ms }) => ms),
      'alone, main thread': of(alone, name, ({ mainThreadMs }) => mainThreadMs),
      'everything on': of(allOn, name, ({ ms }) => ms),
      'everything on, main thread': of(allOn, name, ({ mainThreadMs }) => mainThreadMs),
    })),
  }
}

const nothing: CpuEach = { name: '', ms: 0, mainThreadMs: 0 }

export interface Grid {
  connections: readonly number[]
  lines: readonly number[]
  algorithms: readonly Algorithm[]
  seconds: number
}

/** Each load in turn, first alone, then with everything on. */
export async function measureGrid(kind: Kind, grid: Grid, plan: Plan): Promise<Table> {
  const rows: Table['rows'] = []
  for (const algorithm of grid.algorithms) {
    for (const held of [true, false]) {
      await withSubject(kind, { algorithm, held }, async (subject) => {
        await warmUp(subject, plan.warmUp)
        for (const lines of grid.lines) {
          const rates: Record<string, string | number> = {}
          for (const connections of grid.connections) {
            const { perSecond } = await createInvoices(
              subject,
              { connections, lines },
              grid.seconds,
            )
            rates[`${connections} connections`] = perSecond
          }
          rows.push({ key: algorithm, background: held ? 'held' : 'on', lines, ...rates })
        }
      })
    }
  }
  return {
    title: `Creations a second by load, ${kind}`,
    note: `${grid.seconds} s each, one after another on the same stack.`,
    rows,
  }
}

const insertsName = 'MongoDB inserts of 12 KiB, majority, 32 at once'

async function measureInserts({ mongodbUrl }: Subject, plan: Plan): Promise<number | undefined> {
  if (mongodbUrl === undefined) return undefined
  return countMongoInserts(mongodbUrl, { atOnce: 32, seconds: plan.floorSeconds })
}

/** Cold, a floor makes half of what it makes later, which flattered our ratio. */
const floorWarmUpSeconds = 5

async function measureFloor(
  { mongodbUrl }: Subject,
  name: FloorName,
  { floorSeconds }: Plan,
): Promise<Measured> {
  const floor = await startFloor(name, mongodbUrl)
  try {
    await createInvoices(floor, usualLoad, floorWarmUpSeconds)
    return await createInvoices(floor, usualLoad, floorSeconds)
  } finally {
    await floor.close()
  }
}

async function measureRound(subject: Subject, { seconds }: Plan): Promise<Round> {
  const before = readCpuTimes(await subject.processes())
  const measured = await createInvoices(subject, usualLoad, seconds)
  const after = readCpuTimes(await subject.processes())
  const created = measured.perSecond * seconds
  const share = (name: string, pick: (time: CpuTime) => number) => {
    const [then, now] = [before.get(name), after.get(name)]
    return then && now ? (pick(now) - pick(then)) / created : 0
  }
  const cpu = [...after.keys()].map((name) => ({
    name,
    ms: share(name, ({ ms }) => ms),
    mainThreadMs: share(name, ({ mainThreadMs }) => mainThreadMs),
  }))
  return { ...measured, cpu }
}

function sumMs(cpu: readonly CpuEach[]): number {
  return cpu.reduce((sum, { ms }) => sum + ms, 0)
}

/** The compiler makes the first thousands cost several times as much. */
export async function warmUp(subject: Subject, { invoices, secondsMax }: Plan['warmUp']) {
  const endsAt = performance.now() + secondsMax * 1_000
  const seconds = 2
  for (;;) {
    const created = warmedUp.get(subject) ?? 0
    if (created >= invoices || performance.now() >= endsAt) return
    const { perSecond } = await createInvoices(subject, usualLoad, seconds)
    warmedUp.set(subject, created + perSecond * seconds)
  }
}

const warmedUp = new WeakMap<Subject, number>()

export async function withSubject<T>(
  kind: Kind,
  options: SubjectOptions,
  use: (subject: Subject) => Promise<T>,
): Promise<T> {
  const subject = await openSubject(kind, options)
  try {
    return await use(subject)
  } finally {
    await subject.dispose()
  }
}
