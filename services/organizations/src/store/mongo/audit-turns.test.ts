import { EventEmitter, once } from 'node:events'
import type { Mongo } from '@einvoicing/stores/mongo'
import type { Chain } from '@einvoicing/stores/mongo-audit-chain'
import { audits } from './audit'

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('at most four pages of the audit log are at work at once', async () => {
  const ends: (() => void)[] = []
  const read = () => new Promise((resolve) => ends.push(() => resolve({})))
  const links = { tryChainEntries: async () => true, chainEntries: async () => undefined }
  const { listAudit } = audits({ read } as unknown as Mongo, { links } as unknown as Chain)
  const pages = Array.from({ length: 60 }, () => listAudit('org-1', { page: 0, size: 10_000 }))
  let answered = 0
  for (await settle(); ends.length > 0; await settle()) {
    expect(ends.length).toBeLessThanOrEqual(4)
    answered += ends.length
    for (const end of ends.splice(0)) end()
  }
  await Promise.all(pages)
  expect(answered).toBe(60)
})

it('pages that wait for held chains have no turn', async () => {
  const free = new EventEmitter()
  const isHeld = new Set(['1', '2', '3', '4', '5'])
  const links = {
    tryChainEntries: async (id: string) => !isHeld.has(id),
    chainEntries: async (id: string) => {
      if (isHeld.has(id)) await once(free, 'free')
    },
  }
  const read = async () => ({ entries: [] })
  const { listAudit } = audits({ read } as unknown as Mongo, { links } as unknown as Chain)
  const answered: string[] = []
  const list = async (id: string) => {
    await listAudit(id, { page: 0, size: 10 })
    answered.push(id)
  }
  const waiting = [...isHeld].map(list)
  const other = list('other')
  await settle()
  expect(answered).toEqual(['other'])
  isHeld.clear()
  free.emit('free')
  await Promise.all([...waiting, other])
  expect(answered).toHaveLength(6)
})

it('a page whose chain is held again and again is unavailable', async () => {
  const patience = new AbortController()
  jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(patience.signal)
  const chainEntries = jest.fn(async () => {
    if (chainEntries.mock.calls.length === 3) patience.abort()
  })
  const links = { tryChainEntries: async () => false, chainEntries }
  const { listAudit } = audits({} as unknown as Mongo, { links } as unknown as Chain)
  await expect(listAudit('org-1', { page: 0, size: 10 })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: { message: 'the read did not get its turn' },
  })
})
