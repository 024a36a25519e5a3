import { readFileSync } from 'node:fs'
import path from 'node:path'
import { alerts, trials } from './files'

const book = path.join(__dirname, '..', '..', 'docs', 'operations', 'alerts.md')

const grafana = path.join(
  __dirname,
  ...['..', '..', 'deploy', 'observability', 'grafana', 'dashboards', 'einvoicing.json'],
)

const names = alerts.map(({ name }) => name)

test('the book has a heading for every alert, in its order, and none besides', () => {
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

test.each(alerts)('$name says what it is, how bad, and where to read on', ({ name, text }) => {
  expect(text).toMatch(/severity: (critical|warning|info)\n/)
  expect(text).toMatch(/summary: .{10}/)
  expect(text).toMatch(/description: >-\n +.{20}/)
  expect(text).toContain(`runbook_url: docs/operations/alerts.md#${name.toLowerCase()}\n`)
})

test.each(names)('%s is tried where it fires and where it does not', (name) => {
  const fires = trials.filter(({ alert }) => alert === name).map((trial) => trial.fires)
  expect([fires.includes(true), fires.includes(false)]).toEqual([true, true])
})

test('no alert is tried that is not there', () => {
  expect(trials.filter(({ alert }) => !names.includes(alert!))).toEqual([])
})
