import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { questions } from './files'
import { findPromtool, runPromtool } from './promtool'

// A minute where other suites share the machine.
jest.setTimeout(300_000)

const promtool = findPromtool()
const testIf = promtool === undefined ? test.skip : test
const judge = (...words: string[]) => runPromtool(promtool!, ...words)

testIf('the configuration and the rules are valid', async () => {
  expect(await judge('check', 'config', 'prometheus.yml')).toContain('SUCCESS')
  expect(await judge('check', 'rules', 'alerts.yml')).toMatch(/SUCCESS: \d+ rules found/)
})

testIf('every alert fires when it should, in its words, and not otherwise', async () => {
  expect(await judge('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS')
})

testIf('every expression of the dashboard can be asked', async () => {
  const rules = questions.map(({ expr }, index) => ({
    record: `panel:${index}`,
    // Grafana puts in a duration that fits the width of the panel.
    expr: expr.replaceAll('$__rate_interval', '1m'),
  }))
  const temporary = await mkdtemp(path.join(tmpdir(), 'questions-'))
  const file = path.join(temporary, 'questions.yml')
  const reported = async (groups: object[]) => {
    await writeFile(file, JSON.stringify({ groups }))
    return judge('check', 'rules', file)
  }
  expect(rules.length).toBeGreaterThan(50)
  expect(await reported([{ name: 'dashboard', rules }])).toContain(`${rules.length} rules found`)
  const broken = { record: 'panel:broken', expr: 'sum(rate(x[1m])' }
  await expect(reported([{ name: 'broken', rules: [broken] }])).rejects.toThrow('parse error')
  await rm(temporary, { recursive: true })
})
