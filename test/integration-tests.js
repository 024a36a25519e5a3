// The tests beside sources that `make check` leaves to `make test`.

const fs = require('node:fs')
const path = require('node:path')

// They start a real server or a process of ours.
const startsProcesses =
  /@einvoicing\/servers\/(?!authenticators\/)|testdata\/(mail-server|mailed-organizations|s3-servers|sandbox|token)'|'node:child_process'/

// They start none, but take more than ten seconds.
const slow = [
  'gateway/src/dashboard/audit-csv.test.ts',
  'gateway/src/dashboard/events.test.ts',
  'gateway/src/health.test.ts',
  'gateway/src/verification/verification-threads.test.ts',
  'packages/rpc/src/peer-resolver.test.ts',
  'services/artefacts/src/drawing/drawing.test.ts',
  'services/clearance/src/authority/http.test.ts',
  'services/clearance/src/fairness.test.ts',
  'services/clearance/src/service.test.ts',
  'services/invoices/src/store/sqlite/sqlite-store.test.ts',
  'services/organizations/src/sign-in.test.ts',
  'services/signer/src/keys/software.test.ts',
  'services/simulator/src/service.test.ts',
]

const parents = ['packages', 'services', 'deploy', 'clients']

/** Paths relative to `root`. */
function findIntegrationTests(root) {
  const list = (folder) => fs.readdirSync(path.join(root, folder))
  const packages = parents.flatMap((parent) => list(parent).map((name) => `${parent}/${name}`))
  const tests = [...packages, 'gateway', 'test/servers']
    .map((folder) => `${folder}/src`)
    .filter((folder) => fs.existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true })
        .map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.test.ts'))
  const missing = slow.filter((file) => !tests.includes(file))
  if (missing.length > 0) throw new Error(`test/integration-tests.js names ${missing.join(', ')}`)
  return tests.filter(
    (file) =>
      file.startsWith('test/servers/') ||
      slow.includes(file) ||
      startsProcesses.test(fs.readFileSync(path.join(root, file), 'utf8')),
  )
}

module.exports = { findIntegrationTests }
