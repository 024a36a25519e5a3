import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { einvoicing } from './command-line'

const golden = path.join(__dirname, 'testdata', 'help.txt')
const commands =
  'create get status list pdf xml qr sign cancel resubmit credit-note verify load'.split(' ')

test('the help of every command is as in testdata/help.txt', async () => {
  const reported: string[] = []
  for (const words of [[], ...commands.map((command) => [command])]) {
    const { code, output, errors } = await einvoicing([...words, '--help'])
    expect([code, errors]).toEqual([0, ''])
    reported.push(`$ ${['einvoicing', ...words, '--help'].join(' ')}\n${output}`)
  }
  const text = reported.join('\n')
  if (process.env['UPDATE']) await writeFile(golden, text)
  expect(text).toBe(await readFile(golden, 'utf8'))
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(90)
})

test.each<[string[], string]>([
  [[], 'Usage: einvoicing [options] [command]'],
  [['lst'], "error: unknown command 'lst'\n(Did you mean list?)"],
  [['get'], "error: missing required argument 'invoice'"],
  [['get', 'a', 'b'], "error: too many arguments for 'get'. Expected 1 argument but got 2."],
  [['load'], "error: required option '--count <n>' not specified"],
  [['load', '--count', '0'], 'Must be a whole number, at least 1.'],
])('%j ends with 2 and says why', async (words, message) => {
  const { code, output, errors } = await einvoicing(words)
  expect([code, output]).toEqual([2, ''])
  expect(errors).toContain(message)
})

test.each<[string[], string]>([
  [['--json', 'lst'], "unknown command 'lst'\n(Did you mean list?)"],
  [['get', '--json'], "missing required argument 'invoice'"],
  [['list', '--nothing', '--json'], "unknown option '--nothing'"],
])('%j says why in one line of JSON', async (words, message) => {
  const { code, output, errors } = await einvoicing(words)
  expect([code, output]).toEqual([2, ''])
  expect(errors.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(errors)).toEqual({ error: { code: 'USAGE', message, errors: [] } })
})
