/**
 * Teaches a thread or a child process to run unbuilt sources, for tests only: Jest's transformer does not reach into them.
 * Never built, never shipped.
 */

const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { transformSync } = require('@swc/core')

const root = path.resolve(__dirname, '../../../..')
const resolve = Module._resolveFilename

Module._resolveFilename = function (request, ...rest) {
  const source = request
    .replace(/^@einvoicing\/proto\//, `${root}/proto/gen/`)
    .replace(
      /^@einvoicing\/(domain|runtime|access|rpc|events|stores|verification)\//,
      `${root}/packages/$1/src/`,
    )
  return resolve.call(this, source, ...rest)
}

Module._extensions['.ts'] = function (module, file) {
  const { code } = transformSync(fs.readFileSync(file, 'utf8'), {
    filename: file,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  })
  module._compile(code, file)
}
