import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runProgram } from '../program'
import { Terminal } from '../terminal'

it.each(['1=abc', '1=2,5', '1=1e3', '1=', '1=007', 'x=1', '1'])(
  '--line %s is a usage error',
  async (line) => {
    const err = new PassThrough()
    const required = ['--number', 'AV-1', '--reason', 'Retour']
    const code = await runProgram(['credit-note', 'F-1', ...required, '--line', line], {
      env: {},
      stdin: Readable.from([]),
      terminal: new Terminal(new PassThrough() as never, err as never),
      onInterrupt: () => undefined,
    })
    err.end()
    expect(await text(err)).toContain('Must be a line number and a quantity, for example 1=2.5.')
    expect(code).toBe(2)
  },
)
