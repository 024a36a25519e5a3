import { rules } from './style'
import { written } from './tree'

describe.each(rules)('$refuses', ({ instead, caught, faults }) => {
  test('would be caught', () => expect(faults(caught)).not.toEqual([]))

  test(`is nowhere: ${instead}`, () => {
    const found = written.flatMap((file) =>
      faults(file).map((fault) => `${file.path}:${fault} — ${instead}`),
    )
    expect(found).toEqual([])
  })
})
