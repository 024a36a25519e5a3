import type { AuditEntry, AuditPage, ListAuditRequest } from '@einvoicing/proto/invoice'
import fc from 'fast-check'
import { mergeNewestFirst, readMergedPage } from './audit-pages'

type Kind = 'present' | 'older' | 'mixed'

/** What a service does with a request; of a mixed one, every other process is older. */
function openLog(entries: readonly AuditEntry[], kind: Kind, cutAt = Infinity) {
  const answers: AuditPage[] = []
  let asked = 0
  const answer = (request: ListAuditRequest): AuditPage => {
    const { page, size, skip, momentsOnly, uncounted } = request
    const whole = entries.slice(page * size, (page + 1) * size)
    const total = uncounted ? 0 : entries.length
    asked += 1
    if (kind === 'older' || (kind === 'mixed' && asked % 2 === 0)) return { entries: whole, total }
    const left = whole.slice(skip)
    if (momentsOnly) return { entries: [], total, moments: { at: left.map(({ at }) => at) } }
    if (skip === undefined) return { entries: left, total }
    return { entries: left.slice(0, cutAt), total, skipped: skip, cut: left.length > cutAt }
  }
  const read = async (request: ListAuditRequest) => {
    answers.push(answer(request))
    return answers.at(-1)!
  }
  return { read, answers }
}

const toEntries = (name: string, moments: readonly number[]): AuditEntry[] =>
  moments.map((moment, index) => ({ at: String(moment), actor: 'a', action: `${name}-${index}` }))

const moments = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 })
const kinds = fc.constantFrom<Kind>('present', 'older', 'mixed')

it('is a page of both logs, also while services are upgraded and answers are cut', async () => {
  const page = fc.nat({ max: 7 })
  const size = fc.integer({ min: 1, max: 9 })
  const cutAt = fc.integer({ min: 1, max: 4 })
  await fc.assert(
    fc.asyncProperty(moments, moments, fc.tuple(kinds, kinds), fc.tuple(page, size, cutAt), check),
  )

  async function check(
    one: number[],
    other: number[],
    [oneKind, otherKind]: [Kind, Kind],
    [number, count, most]: [number, number, number],
  ) {
    const logs = [toEntries('one', one), toEntries('other', other)] as const
    const whole = mergeNewestFirst(logs[0], logs[1])
    const read = [openLog(logs[0], oneKind, most).read, openLog(logs[1], otherKind).read] as const
    const { entries, total } = await readMergedPage(read, { page: number, size: count })
    expect(entries).toEqual(whole.slice(number * count, (number + 1) * count))
    expect(total).toBe(whole.length)
  }
})

it('of what lies before the page only moments are read', async () => {
  const times = Array.from({ length: 10_000 }, (_, index) => 99_999 - index)
  const logs = [
    openLog(toEntries('one', times), 'present'),
    openLog(toEntries('other', times), 'present'),
  ]
  const { entries } = await readMergedPage([logs[0]!.read, logs[1]!.read], { page: 99, size: 100 })
  expect(entries).toHaveLength(100)
  const answered = logs.flatMap(({ answers }) => answers.flatMap((answer) => answer.entries))
  expect(answered).toHaveLength(100)
})
