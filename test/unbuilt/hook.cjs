/** `node --require test/unbuilt/hook.cjs main.ts` runs unbuilt sources, as Jest does in its own process. */

const fs = require('node:fs')
const Module = require('node:module')
const { projects } = require('../../jest.config')
const { findUnbuilt } = require('./children.cjs')

const [{ rootDir, moduleNameMapper }] = projects
const sources = Object.entries(moduleNameMapper).map(([pattern, target]) => [
  new RegExp(pattern),
  target.replace('<rootDir>', rootDir),
])
const resolveFilename = Module._resolveFilename

Module._resolveFilename = function (request, ...rest) {
  const [pattern, target] = sources.find(([pattern]) => pattern.test(request)) ?? []
  const file = pattern ? request.replace(pattern, target) : findUnbuilt(request)
  return resolveFilename.call(this, file, ...rest)
}

Module._extensions['.ts'] = function (module, file) {
  // Loaded here, so that a process that meets no TypeScript does not pay for it.
  const { transformSync } = require('@swc/core')
  const { code } = transformSync(fs.readFileSync(file, 'utf8'), {
    filename: file,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  })
  module._compile(code, file)
}
