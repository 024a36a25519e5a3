import { formatProperties } from './table'

const terminal = { styled: (_: string, text: string) => text } as Parameters<
  typeof formatProperties
>[1]

it('aligns the values of properties, and leaves out what has none', () => {
  const properties = [
    ['id', '7'],
    ['delivery note', 'BL-1'],
    ['a name that is far longer', null],
  ] as const
  expect(formatProperties(properties, terminal)).toEqual(['id            7', 'delivery note BL-1'])
})
