import { shareAnswers } from './share-answers'

it('one query serves all concurrent callers, a later caller causes another', async () => {
  const questions: string[] = []
  const share = shareAnswers(async (organization: string, since: string) => {
    questions.push(organization + since)
    await new Promise(setImmediate)
    if (since === 'never') throw new Error('no')
    return questions.length
  })
  expect(await Promise.all([share('a', '1'), share('a', '1'), share('b', '1')])).toEqual([2, 2, 2])
  expect(await share('a', '1')).toBe(3)
  expect(questions).toEqual(['a1', 'b1', 'a1'])
  const failing = [share('a', 'never'), share('a', 'never')]
  for (const one of failing) await expect(one).rejects.toThrow('no')
  await expect(share('a', 'never')).rejects.toThrow('no')
  expect(questions).toHaveLength(5)
})
