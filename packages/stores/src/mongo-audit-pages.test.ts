import { AuditTurns } from './mongo-audit-pages'

function openTurns() {
  const turns = new AuditTurns({ chainEntries: async () => undefined })
  const ends: (() => void)[] = []
  const begun: string[] = []
  const read = (organizationId: string) =>
    turns.run(organizationId, async () => {
      begun.push(organizationId)
      await new Promise<void>((resolve) => ends.push(resolve))
      return organizationId
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { read, begun, ends, settle }
}

it('at most four pages of audit logs are read at once, and organizations take turns', async () => {
  const { read, begun, ends, settle } = openTurns()
  const greedy = Array.from({ length: 60 }, () => read('greedy'))
  const other = read('other')
  await settle()
  expect(begun).toHaveLength(4)
  for (const end of ends.splice(0, 2)) end()
  await settle()
  expect(begun.slice(4)).toEqual(['greedy', 'other'])
  while (ends.length > 0) {
    expect(ends.length).toBeLessThanOrEqual(4)
    for (const end of ends.splice(0)) end()
    await settle()
  }
  expect(await Promise.all([...greedy, other])).toHaveLength(61)
})

it('of more than 200 pages that wait, the organization with most gets SERVICE_UNAVAILABLE', async () => {
  const { read, ends, settle } = openTurns()
  const outcomes = Array.from({ length: 204 }, () =>
    read('greedy').catch((error: unknown) => (error as { code: string }).code),
  )
  const unavailable = { code: 'SERVICE_UNAVAILABLE' }
  await expect(read('greedy')).rejects.toMatchObject(unavailable)
  const other = read('other')
  while (ends.length > 0) {
    for (const end of ends.splice(0)) end()
    await settle()
  }
  expect(await other).toBe('other')
  const codes = await Promise.all(outcomes)
  expect(codes.filter((code) => code === 'SERVICE_UNAVAILABLE')).toHaveLength(1)
})

it('a page whose turn comes too late is not read', async () => {
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  const { read, begun } = openTurns()
  await expect(read('late')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(begun).toEqual([])
})
