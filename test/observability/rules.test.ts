import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'yaml'
import { folder, questions } from './files'
import { findPromtool, runPromtool } from './promtool'

// A minute where other suites share the machine.
jest.setTimeout(300_000)

const promtool = findPromtool()
const testIf = promtool === undefined ? test.skip : test
const judge = (...words: string[]) => runPromtool(promtool!, ...words)

interface Rule {
  alert?: string
  record?: string
  expr: string
}
interface Group {
  rules: Rule[]
}
interface Rules {
  groups: Group[]
}
interface Tests {
  tests: { alert_rule_test: { alertname: string }[] }[]
}

const readYaml = async <T>(file: string) =>
  parse(await readFile(path.join(folder, file), 'utf8')) as T

/** The alerts that the test names, and the recordings that those use. */
function selectRules(groups: readonly Group[], one: Tests['tests'][number]): Group[] {
  const all = groups.flatMap(({ rules }) => rules)
  const named = one.alert_rule_test.map(({ alertname }) => alertname)
  const selected = new Set(all.filter(({ alert }) => alert !== undefined && named.includes(alert)))
  for (const { expr } of selected) {
    for (const rule of all) if (rule.record && expr.includes(rule.record)) selected.add(rule)
  }
  return groups
    .map((group) => ({ ...group, rules: group.rules.filter((rule) => selected.has(rule)) }))
    .filter(({ rules }) => rules.length > 0)
}

testIf('the configuration and the rules are valid', async () => {
  expect(await judge('check', 'config', 'prometheus.yml')).toContain('SUCCESS')
  expect(await judge('check', 'rules', 'alerts.yml')).toMatch(/SUCCESS: \d+ rules found/)
})

testIf('every alert fires when it should, in its words, and not otherwise', async () => {
  const temporary = await mkdtemp(path.join(tmpdir(), 'rules-'))
  const { tests, ...settings } = await readYaml<Tests>('alerts.test.yml')
  const { groups } = await readYaml<Rules>('alerts.yml')
  const save = async (name: string, content: object) => {
    await writeFile(path.join(temporary, name), JSON.stringify(content))
    return path.join(temporary, name)
  }
  // Every rule is evaluated at each instant of a test, for days in some: each gets those it names.
  const files = tests.map(async (one, index) => {
    const rules = { groups: selectRules(groups, one) }
    const rule_files = [await save(`${index}.rules.yml`, rules)]
    return save(`${index}.test.yml`, { ...settings, rule_files, tests: [one] })
  })
  const output = await judge('test', 'rules', ...(await Promise.all(files)))
  expect(tests.length).toBeGreaterThan(60)
  expect(output.match(/SUCCESS/g)).toHaveLength(tests.length)
  await rm(temporary, { recursive: true })
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
