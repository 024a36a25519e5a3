/** What deploy/observability says: alerts, their tests, and every expression of the dashboard. */

import { readFileSync } from 'node:fs'
import path from 'node:path'

export const folder = path.join(__dirname, '..', '..', 'deploy', 'observability')

const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')

interface Panel {
  title: string
  targets?: { expr: string }[]
}

interface Dashboard {
  panels: Panel[]
  annotations: { list: { expr?: string }[] }
}

export interface Alert {
  name: string
  /** The rule as it is written. */
  text: string
}

/** In the order of the file. */
export const alerts: Alert[] = read('alerts.yml')
  .split(/^ +- (?=alert: |record: |name: )/m)
  .filter((text) => text.startsWith('alert: '))
  .map((text) => ({ name: /^alert: (\w+)/.exec(text)![1]!, text }))

/** Of alerts.test.yml: which alert is tried, and whether it is expected to fire. */
export const trials = [
  ...read('alerts.test.yml').matchAll(/alertname: (\w+)\n +exp_alerts:( \[\])?/g),
].map(([, alert, nothing]) => ({ alert, fires: nothing === undefined }))

const dashboard = JSON.parse(read('grafana/dashboards/einvoicing.json')) as Dashboard

/** What the dashboard asks Prometheus, by panel. */
export const questions = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ panel: title, expr })),
  ),
  ...dashboard.annotations.list.flatMap(({ expr }) => (expr ? [{ panel: 'alerts', expr }] : [])),
]

const expressionsOfRules = read('alerts.yml')
  .split('\n')
  .filter((line) => !/^\s*(#|(- )?(name|alert|record|summary|description|runbook_url):)/.test(line))
  .join('\n')

/** Recorded by alerts.yml, to be asked like any other. */
export const recorded = [...read('alerts.yml').matchAll(/- record: (\S+)/g)].map(
  ([, name]) => name!,
)

const metricName = /(?<![\w:])(?:einvoicing|http|grpc|nodejs|process)_\w+/g
const labelOrText = /"[^"]*"|by \([^)]*\)|on \([^)]*\)|[{,]\s*\w+(?=\s*[=!])/g

/** Names of series that alerts and dashboard ask for. */
export function queriedSeries(): Set<string> {
  const queries = [...questions.map(({ expr }) => expr), expressionsOfRules].join('\n')
  return new Set(queries.replace(labelOrText, '').match(metricName))
}
