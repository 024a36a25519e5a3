import { rules } from './style'
import { sources, written } from './tree'

describe.each(rules)('$forbids', ({ instead, caught, findProblems }) => {
  test('would be caught', () => expect(findProblems(caught)).not.toEqual([]))

  test(`is nowhere: ${instead}`, () => {
    const found = written.flatMap((file) =>
      findProblems(file).map((problem) => `${file.path}:${problem} — ${instead}`),
    )
    expect(found).toEqual([])
  })
})

test('about 4 in 100 lines are comments, not more', () => {
  const dashboard = written.filter(({ path }) => /^dashboard\/src\/(?!.*\.test\.)/.test(path))
  const lines = [...sources, ...dashboard].flatMap(({ text }) => text.split('\n'))
  const comments = lines.filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line))
  expect((100 * comments.length) / lines.length).toBeLessThan(4.25)
})
