import { randomUUID } from 'node:crypto'
import { createLog } from '@einvoicing/runtime/log'
import { describeWith } from '@einvoicing/servers/describe-with'
import { openMongo, type Mongo } from '@einvoicing/stores/mongo'
import { patientTimes } from '@einvoicing/stores/testdata/patient-times'
import { MarkedLists, type MarkedView } from './marked-lists'
import { migrations } from './schema'
import { startDatabase, type TestDatabase } from '../testdata/database'

const longMs = 60_000
const place = { organizationId: 'org-1', by: 'createdAt' } as const

describeWith('mongod', 'mongo, views of lists', () => {
  let database: TestDatabase
  let mongo: Mongo
  let lists: MarkedLists
  beforeAll(async () => {
    database = await startDatabase()
    mongo = await openMongo(
      { kind: 'mongodb', url: database.url },
      { what: 'The store', migrations, log: createLog('silent'), times: patientTimes },
    )
  })
  afterAll(async () => {
    await mongo.close()
    await database.dispose()
  })
  beforeEach(() => (lists = new MarkedLists(mongo)))

  /** A view that has begun, and holds its turn until the gate is opened. */
  async function holdTurn(organizationId: string) {
    let openGate = () => {}
    const gate = new Promise<void>((resolve) => (openGate = resolve))
    let first: Promise<unknown> = gate
    await new Promise<void>((begun) => {
      first = lists.view(organizationId, longMs, async () => {
        begun()
        await gate
        return 'first'
      })
    })
    return { openGate, first }
  }

  it('that were given up before their turn read nothing', async () => {
    const { openGate, first } = await holdTurn('org-1')
    const read = jest.spyOn(mongo, 'read')
    const work = jest.fn(() => Promise.resolve('late'))
    const views = Array.from({ length: 50 }, () => lists.view('org-1', 20, work))
    expect(new Set(await Promise.all(views))).toEqual(new Set([undefined]))
    openGate()
    expect(await first).toBe('first')
    expect(await lists.view('org-1', longMs, () => Promise.resolve('next'))).toBe('next')
    expect(work).not.toHaveBeenCalled()
    // Of the last view: its session, the counts, and what is not counted.
    expect(read).toHaveBeenCalledTimes(3)
    read.mockRestore()
  })

  it('are refused when too many of one organization wait, and begin again after them', async () => {
    const { openGate, first } = await holdTurn('org-1')
    const inTurn = () => Promise.resolve('in turn')
    const waiting = Array.from({ length: 199 }, () => lists.view('org-1', longMs, inTurn))
    await expect(lists.view('org-1', longMs, inTurn)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/^The invoice list is not available right now/) as string,
    })
    expect(await lists.view('org-2', longMs, inTurn)).toBe('in turn')
    openGate()
    await first
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['in turn']))
    expect(await lists.view('org-1', longMs, inTurn)).toBe('in turn')
  })

  it('that were given up leave their place', async () => {
    const { openGate, first } = await holdTurn('org-1')
    const work = () => Promise.resolve('in turn')
    await Promise.all(Array.from({ length: 199 }, () => lists.view('org-1', 20, work)))
    const waiting = lists.view('org-1', longMs, work)
    openGate()
    await first
    expect(await waiting).toBe('in turn')
    expect(lists['views'].size).toBe(0)
  })

  it('leave nothing of organizations that need no marks', async () => {
    for (let round = 0; round < 60; round += 1) {
      const views = Array.from({ length: 50 }, () =>
        lists.view(randomUUID(), longMs, () => Promise.resolve('small')),
      )
      await Promise.all(views)
    }
    expect(lists['held'].size).toBe(0)
    const count = (view: MarkedView) => view.useMarks(place, (marks) => marks.length)
    expect(await lists.view('org-1', longMs, count)).toBe(1)
    expect(lists['held'].size).toBe(1)
  }, 60_000)
})
