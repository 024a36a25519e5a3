import { Queue } from './queue'

it('returns the first that came, also between two that are added', () => {
  const queue = new Queue<number>()
  expect(queue.shift()).toBeUndefined()
  for (const item of [1, 2, 3]) queue.push(item)
  expect([queue.shift(), queue.shift()]).toEqual([1, 2])
  for (const item of [4, 5]) queue.push(item)
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual([3, 4, 5])
  expect(queue.shift()).toBeUndefined()
  queue.push(6)
  expect(queue.shift()).toBe(6)
})

it('costs as much for the first of many as for the last', () => {
  const queue = new Queue<number>()
  for (let item = 0; item < 300_000; item += 1) queue.push(item)
  const beganMs = performance.now()
  for (let item = 0; item < 300_000; item += 1) queue.shift()
  // `Array.shift` takes many seconds.
  expect(performance.now() - beganMs).toBeLessThan(2_000)
})
