import { call } from '../testdata/neighbours'
import { invoicesHandlers } from './invoices'

it('lists changes up to the present and as much later as the request says', async () => {
  const listChanges = jest.fn(async () => [])
  const now = () => new Date('2026-05-03T10:00:00.000Z')
  const { listChanges: handle } = invoicesHandlers({ store: { listChanges }, now } as never, [])
  const asked = { since: '2026-05-03T09:59:58.000Z', behind: '', count: 10 }
  const { at } = await handle({ ...asked, aheadMs: 25_000 }, call())
  await handle({ ...asked, aheadMs: 0 }, call())
  await handle(asked, call())
  const until = (moment?: string) => ['org-1', expect.objectContaining({ ...asked, until: moment })]
  expect(listChanges.mock.calls).toEqual([
    until('2026-05-03T10:00:25.000Z'),
    until(at),
    until(undefined),
  ])
})
