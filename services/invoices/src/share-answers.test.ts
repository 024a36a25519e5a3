import { shareAnswers } from './share-answers'

it('asks once for all who ask meanwhile, and again for anyone who comes later', async () => {
  const asked: string[] = []
  const ask = shareAnswers(async (organization: string, since: string) => {
    asked.push(organization + since)
    await new Promise(setImmediate)
    if (since === 'never') throw new Error('no')
    return asked.length
  })
  expect(await Promise.all([ask('a', '1'), ask('a', '1'), ask('b', '1')])).toEqual([2, 2, 2])
  expect(await ask('a', '1')).toBe(3)
  expect(asked).toEqual(['a1', 'b1', 'a1'])
  const failing = [ask('a', 'never'), ask('a', 'never')]
  for (const one of failing) await expect(one).rejects.toThrow('no')
  await expect(ask('a', 'never')).rejects.toThrow('no')
  expect(asked).toHaveLength(5)
})
