/**
 * Jest's runtime, with three things kept from file to file: packages of others, which Node itself loads once for each
 * worker, where imports lead, and what was compiled of our sources. Our modules run afresh for each test file.
 */

const { createRequire } = require('node:module')
const { compileFunction } = require('node:vm')
const { default: Runtime } = require('jest-runtime')

// Loads Node's own undici first: the package of that name, which testcontainers brings, is of another
// major version and would become the dispatcher of `fetch` in this worker, where requests then fail.
void globalThis.Response

const requireOthers = createRequire(__filename)
const compiled = new Map()
// All projects map names alike. Without it each file would look for each import of our packages on the disk again.
const resolved = new (class extends Map {
  /** Each runtime does at its end. */
  clear() {}
})()
// Its ids never go back: after a test with a faked time they would lie in the future for the worker's other files.
const remembersTime = '/node_modules/uuid/'

class KeepingRuntime extends Runtime {
  constructor(...args) {
    super(...args)
    this._resolution.cjsCache = resolved
    this.executor.compile = (source, filename) => {
      const known = compiled.get(filename)
      if (known?.source === source) return known.run
      const run = compileFunction(source, this.executor.injectedModuleParameters, { filename })
      compiled.set(filename, { source, run })
      return run
    }
  }

  requireModule(from, name, options, isRequireActual) {
    const file = options?.isInternalModule ? undefined : this.findOthers(from, name)
    return file ? requireOthers(file) : super.requireModule(from, name, options, isRequireActual)
  }

  findOthers(from, name) {
    if (!name || this._resolution.isCoreModule(name)) return undefined
    const file = this._resolution.resolveCjs(from, name)
    return file.includes('/node_modules/') && !file.includes(remembersTime) ? file : undefined
  }
}

module.exports = { __esModule: true, default: KeepingRuntime }
