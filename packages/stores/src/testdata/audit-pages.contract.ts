interface Entry {
  at: string
  detail?: string | undefined
}

interface Request {
  page: number
  size: number
  skip?: number
  momentsOnly?: boolean
  atFrom: string
}

interface Page {
  entries: readonly Entry[]
  total: number
  skipped?: number | undefined
  cut?: boolean | undefined
  moments?: { at: string[] } | undefined
}

type List = (request: Request) => Promise<Page>

/** `open` adds entries to the log of an organization, and returns what lists that log. */
export function auditPagesContract(open: (entries: Required<Entry>[]) => Promise<List>): void {
  const atFrom = '2031-01-01T00:00:00.000Z'
  const made = (count: number, detail: string) =>
    Array.from({ length: count }, (_, index) => ({
      at: new Date(Date.parse(atFrom) + index).toISOString(),
      detail: `${index} ${detail}`,
    }))
  const numbers = ({ entries }: Page) => entries.map(({ detail }) => Number.parseInt(detail ?? ''))

  it('lists a part of a page of the audit log, and its moments', async () => {
    const entries = made(7, '')
    const list = await open(entries)
    const page = { page: 1, size: 3, atFrom }
    expect(numbers(await list(page))).toEqual([3, 2, 1])
    const part = await list({ ...page, skip: 2 })
    expect([numbers(part), part]).toMatchObject([[1], { total: 7, skipped: 2, cut: false }])
    expect(numbers(await list({ ...page, page: 0, skip: 0 }))).toEqual([6, 5, 4])
    expect(await list({ ...page, skip: 3 })).toMatchObject({ entries: [], skipped: 3, cut: false })
    expect(await list({ ...page, skip: 4 })).toMatchObject({ entries: [], skipped: 4, cut: false })
    const { moments, ...rest } = await list({ ...page, momentsOnly: true })
    expect(moments?.at).toEqual([3, 2, 1].map((index) => entries[index]?.at))
    expect(rest).toMatchObject({ entries: [], total: 7 })
  })

  it('cuts a page of long entries of the audit log, if the request has `skip`', async () => {
    const list = await open(made(5, 'é'.repeat(750_000)))
    const page = { page: 0, size: 5, atFrom }
    const whole = await list(page)
    expect(numbers(whole)).toEqual([4, 3, 2, 1, 0])
    expect([whole.cut, whole.skipped]).toEqual([undefined, undefined])
    const first = await list({ ...page, skip: 0 })
    expect([numbers(first), first.cut]).toEqual([[4, 3], true])
    const last = await list({ ...page, skip: 3 })
    expect([numbers(last), last.cut]).toEqual([[1, 0], false])
  })
}
