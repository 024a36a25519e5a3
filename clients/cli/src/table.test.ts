import { PassThrough } from 'node:stream'
import { formatProperties } from './table'
import { Terminal } from './terminal'

const stream = () => new PassThrough() as unknown as NodeJS.WriteStream

it('aligns the values of properties, and leaves out what has none', () => {
  const properties = [
    ['id', '7'],
    ['delivery note', 'BL-1'],
    ['a name that is far longer', null],
  ] as const
  const terminal = new Terminal(stream(), stream())
  expect(formatProperties(properties, terminal)).toEqual(['id            7', 'delivery note BL-1'])
})
