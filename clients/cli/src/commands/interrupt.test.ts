import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runProgram } from '../program'
import { Terminal } from '../terminal'

const id = '6e7f4d1c-0000-4000-8000-000000000001'
const creditNote = ['--number', 'AV-1', '--reason', 'Retour']

afterEach(() => jest.restoreAllMocks())

async function interruptAt(method: 'GET' | 'POST' | 'DELETE', args: string[], input = '') {
  let interrupt = () => {}
  const data = { content: [{ id }], totalElements: 1 }
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    if (init?.method === method) interrupt()
    init?.signal?.throwIfAborted()
    return Response.json({ code: 'OK', message: 'OK', data, errors: null })
  })
  const [out, err] = [new PassThrough(), new PassThrough()]
  const code = await runProgram(args, {
    env: { EINVOICING_API_KEY: 'svc_sk_1' },
    stdin: Readable.from([Buffer.from(input)]),
    terminal: new Terminal(out as never, err as never),
    onInterrupt: (act) => (interrupt = act),
  })
  err.end()
  return { code, errors: await text(err) }
}

const interrupted = 'INTERRUPTED: Interrupted before it finished.\n'
const runAgain = 'Run the same command with --accept-existing to find out.\n'
const readIt = `The change may have been made: see einvoicing status ${id}\n`

it.each([
  ['create', 'POST', ['create', '-'], `The invoice may have been created. ${runAgain}`],
  [
    'credit-note',
    'POST',
    ['credit-note', 'F-1', ...creditNote],
    `The credit note may have been created. ${runAgain}`,
  ],
  ['sign', 'POST', ['sign', 'F-1', '--wait'], readIt],
  ['resubmit', 'POST', ['resubmit', id], readIt],
  ['cancel', 'DELETE', ['cancel', 'F-1'], readIt],
] as const)('%s: Ctrl-C says that it may have happened', async (_, method, args, message) => {
  expect(await interruptAt(method, [...args], '{"invoiceNumber":"F-1"}')).toEqual({
    code: 130,
    errors: `${message}${interrupted}`,
  })
})

it.each([
  ['sign', 'F-1'],
  ['credit-note', 'F-1', ...creditNote],
])('%s: nothing happened if the invoice was only looked up', async (...args) => {
  expect(await interruptAt('GET', args)).toEqual({ code: 130, errors: interrupted })
})
