import { rules } from './style'
import { written } from './tree'

describe.each(rules)('$refuses', ({ instead, caught, findProblems }) => {
  test('would be caught', () => expect(findProblems(caught)).not.toEqual([]))

  test(`is nowhere: ${instead}`, () => {
    const found = written.flatMap((file) =>
      findProblems(file).map((problem) => `${file.path}:${problem} — ${instead}`),
    )
    expect(found).toEqual([])
  })
})
