import { rules } from './style'
import { written } from './tree'

describe.each(rules)('$refuses', ({ instead, caught, faults: problems }) => {
  test('would be caught', () => expect(problems(caught)).not.toEqual([]))

  test(`is nowhere: ${instead}`, () => {
    const found = written.flatMap((file) =>
      problems(file).map((problem) => `${file.path}:${problem} — ${instead}`),
    )
    expect(found).toEqual([])
  })
})
