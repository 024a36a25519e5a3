import { walkPages } from './pages'
import type { InvoicePage } from './schemas'

const slicePage = (all: readonly string[], page: number, size: number) =>
  ({
    content: all.slice(page * size, (page + 1) * size).map((id) => ({ id })),
    page,
    size,
    totalElements: all.length,
    last: page >= Math.ceil(all.length / size) - 1,
  }) as InvoicePage

async function walked(read: (page: number) => InvoicePage, first?: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of walkPages(async (page) => read(page), first)) ids.push(id)
  return ids
}

const letters = [...'abcdefghij']

it.each([1, 2, 3, 9, 10, 11])('lists every invoice, %i at a time', async (size) => {
  expect(await walked((page) => slicePage(letters, page, size))).toEqual(letters)
  expect(await walked(() => slicePage([], 0, size))).toEqual([])
  const rest = letters.slice(size)
  if (size < 10) expect(await walked((page) => slicePage(letters, page, size), 1)).toEqual(rest)
})

it('lists none twice when new ones are added before', async () => {
  let all = letters
  const ids = await walked((page) => {
    const answer = slicePage(all, page, 3)
    all = [`new-${page}`, ...all]
    return answer
  })
  expect(ids.filter((id) => !id.startsWith('new'))).toEqual(letters)
  expect(new Set(ids).size).toBe(ids.length)
})

it('misses none while others are removed', async () => {
  let all = letters
  const ids = await walked((page) => {
    const answer = slicePage(all, page, 3)
    // Invoices already read have left the filter.
    if (page === 0) all = all.slice(3)
    return answer
  })
  expect(ids.sort()).toEqual(letters)
})

describe('while every read finds one less', () => {
  const numbers = Array.from({ length: 100 }, (_, index) => `${index}`)

  async function walkWhile(remove: (all: readonly string[]) => string[]) {
    let [all, reads] = [[...numbers], 0]
    const ids = await walked((page) => {
      reads += 1
      const answer = slicePage(all, page, 10)
      all = remove(all)
      return answer
    })
    expect(reads).toBeLessThanOrEqual(30)
    return { ids, all }
  }

  it('reaches the end', async () => {
    const { ids, all } = await walkWhile((rest) => rest.slice(0, -1))
    expect(ids).toEqual(expect.arrayContaining(all))
  })

  it('misses none that stays', async () => {
    const { ids, all } = await walkWhile((rest) => rest.slice(1))
    expect(ids).toEqual(expect.arrayContaining(all))
  })
})

it.each([30, 50, 100, 300])('reaches all %i when each leaves the list once read', async (count) => {
  let all = Array.from({ length: count }, (_, index) => `${index}`)
  const ids: string[] = []
  for await (const { id } of walkPages(async (page) => slicePage(all, page, 10))) {
    ids.push(id)
    all = all.filter((each) => each !== id)
  }
  expect(ids).toHaveLength(count)
})

it('ends although new ones come as fast as others leave', async () => {
  let next = 0
  let all = Array.from({ length: 100 }, () => `${(next += 1)}`)
  let reads = 0
  await walked((page) => {
    reads += 1
    const answer = slicePage(all, page, 10)
    all = [`${(next += 1)}`, ...all.slice(0, reads % 2 === 0 ? -2 : undefined)]
    return answer
  })
  expect(reads).toBeLessThanOrEqual(60)
})

it('requests no page that is not read', async () => {
  let requests = 0
  const pages = walkPages(async (page) => {
    requests += 1
    return slicePage(letters, page, 2)
  })
  await pages.next()
  await pages.next()
  expect(requests).toBe(1)
  await pages.return()
})
