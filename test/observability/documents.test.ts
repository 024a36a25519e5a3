import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createLog, logLevels } from '@einvoicing/runtime/log'
import { alerts, trials } from './files'

const book = path.join(__dirname, '..', '..', 'docs', 'operations', 'alerts.md')

const grafana = path.join(
  __dirname,
  ...['..', '..', 'deploy', 'observability', 'grafana', 'dashboards', 'einvoicing.json'],
)

const names = alerts.map(({ name }) => name)

test('the operator’s guide has a heading for every alert, in order, and no other', () => {
  const headings = [...readFileSync(book, 'utf8').matchAll(/^## (.*)$/gm)].map(([, title]) => title)
  expect(names.length).toBeGreaterThan(20)
  expect(headings).toEqual(names)
})

test('every panel that the book names is on the dashboard', () => {
  const named = [...readFileSync(book, 'utf8').matchAll(/(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)/g)]
  const titles = [...readFileSync(grafana, 'utf8').matchAll(/"title": "([^"]*)"/g)]
  const known = [...names, ...titles.map(([, title = '']) => title.replace(/ \(.*\)$/, ''))]
  expect(named.length).toBeGreaterThan(30)
  expect(named.map(([, name = '']) => name).filter((name) => !known.includes(name))).toEqual([])
})

const testWithJq = spawnSync('jq', ['--version']).status === 0 ? test : test.skip

testWithJq('the command for the log prints its errors, and levels are words', () => {
  const text = readFileSync(book, 'utf8')
  const lines: string[] = []
  const log = createLog('trace', { write: (line: string) => lines.push(line) })
  for (const level of logLevels) log[level]('a message')
  const [, filter = ''] = /^jq -c '(.*)' LOG/m.exec(text) ?? []
  const printed = execFileSync('jq', ['-c', filter], { input: lines.join(''), encoding: 'utf8' })
  expect([...printed.matchAll(/"level":"(\w+)"/g)].map(([, level]) => level)).toEqual([
    'fatal',
    'error',
  ])
  const named = [...text.matchAll(/"level":("?\w+"?)/g)].map(([, level]) => level)
  expect(named).toEqual(['"warn"'])
})

test.each(alerts)('$name has a summary, a severity and a link to the guide', ({ name, text }) => {
  expect(text).toMatch(/severity: (critical|warning|info)\n/)
  expect(text).toMatch(/summary: .{10}/)
  expect(text).toMatch(/description: >-\n +.{20}/)
  expect(text).toContain(`runbook_url: docs/operations/alerts.md#${name.toLowerCase()}\n`)
})

test.each(names)('%s is tested when it fires and when it does not', (name) => {
  const fires = trials.filter(({ alert }) => alert === name).map((trial) => trial.fires)
  expect([fires.includes(true), fires.includes(false)]).toEqual([true, true])
})

test('no test is for an alert that does not exist', () => {
  expect(trials.filter(({ alert }) => !names.includes(alert!))).toEqual([])
})
