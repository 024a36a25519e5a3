// Writes the files of deploy/k8s that repeat others below the folder ROOT: `node deploy/generate-copies.mjs ROOT`.
// kustomize reads no file outside its own folder, so these cannot be shared.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'

const root = process.argv[2]
const components = 'deploy/k8s/components'

async function write(file, text) {
  const target = path.join(root, file)
  await mkdir(path.dirname(target), { recursive: true })
  await writeFile(target, text)
}

for (const user of ['invoices', 'clearance']) {
  const rights = await readFile(`deploy/nats/rights/${user}.conf`, 'utf8')
  await write(`${components}/stores/nats-${user}.conf`, rights)
}

const alerts = await readFile('deploy/observability/alerts.yml', 'utf8')
const [, groups] = alerts.split(/^groups:$/m)
await write(
  `${components}/service-monitor/rules.yaml`,
  `# Generated from deploy/observability/alerts.yml: npm run generate
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: einvoicing
spec:
  groups:${groups.replace(/^(?=.)/gm, '  ')}`,
)
