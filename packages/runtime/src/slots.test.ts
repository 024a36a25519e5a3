import { Slots } from './slots'

const never = new AbortController().signal
const open = () => new Slots({ count: 1, waitingMax: 2, toError: () => new Error('full') })

it('admits up to the limit, then lanes in turn', async () => {
  const slots = open()
  const entered: string[] = []
  const enter = (lane: string) => slots.enter(lane, never).then(() => entered.push(lane))
  await enter('a')
  const [second, other] = [enter('a'), enter('b')]
  await expect(slots.enter('a', never)).rejects.toThrow('full')
  slots.leave()
  await second
  slots.leave()
  await other
  expect(entered).toEqual(['a', 'a', 'b'])
  slots.leave()
  await enter('c')
})

it('frees the place of a cancelled request for the next', async () => {
  const slots = open()
  await slots.enter('a', never)
  const patience = new AbortController()
  const impatient = slots.enter('b', patience.signal)
  const patient = slots.enter('c', never)
  patience.abort()
  await expect(impatient).rejects.toThrow('full')
  slots.leave()
  await patient
})

it('runs work in a slot, and frees it after an error too', async () => {
  const slots = open()
  const failing = slots.run('a', never, () => Promise.reject(new Error('broken')))
  const next = slots.run('b', never, async () => 'done')
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
})
