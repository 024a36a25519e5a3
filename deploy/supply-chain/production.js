/** Which workspaces run in production: all but those that serve tests and trials on one machine. */

const { readFileSync } = require('node:fs')
const path = require('node:path')

const root = path.join(__dirname, '..', '..')
const forDevelopment = ['test', 'test/servers', 'test/processes', 'docs/site', 'dashboard']

/** By folder, what each says it needs to run. Read from the lock: nothing need be installed. */
function productionWorkspaces() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const workspaces = Object.entries(packages)
    .filter(([place]) => place !== '' && !place.includes('node_modules/'))
    .filter(([place]) => !forDevelopment.includes(place))
    .map(([place, { name, dependencies, optionalDependencies }]) => [
      place,
      { name, needs: Object.keys({ ...dependencies, ...optionalDependencies }) },
    ])
  return new Map(workspaces)
}

/** As arguments of npm. */
function workspaceFlags() {
  return [...productionWorkspaces().keys()].flatMap((place) => ['-w', place])
}

module.exports = { root, productionWorkspaces, workspaceFlags }
