/** `node --require test/unbuilt/hook.cjs main.ts` runs unbuilt sources, as Jest does in its own process. */

const { createHash } = require('node:crypto')
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { threadId } = require('node:worker_threads')
const { findUnbuilt } = require('./children.cjs')
const targets = require('./sources')

const root = path.join(__dirname, '../..')
const cache = path.join(root, '.cache/unbuilt')
const sources = Object.entries(targets).map(([pattern, target]) => [
  new RegExp(pattern),
  target.replace('<rootDir>', root),
])
const resolveFilename = Module._resolveFilename

Module._resolveFilename = function (request, ...rest) {
  const [pattern, target] = sources.find(([pattern]) => pattern.test(request)) ?? []
  const file = pattern ? request.replace(pattern, target) : findUnbuilt(request)
  return resolveFilename.call(this, file, ...rest)
}

Module._extensions['.ts'] = function (module, file) {
  module._compile(readCompiled(file), file)
}

// Tests start hundreds of threads: the compiler alone would cost each of them as much as its work.
function readCompiled(file) {
  const source = fs.readFileSync(file, 'utf8')
  const { version } = require('@swc/core/package.json')
  const key = createHash('sha256').update(`${version}\n${file}\n${source}`).digest('hex')
  const compiled = path.join(cache, `${key}.js`)
  try {
    return fs.readFileSync(compiled, 'utf8')
  } catch {
    const code = compile(source, file)
    // Renamed into place, whole: others read it meanwhile.
    const temporary = `${compiled}.${process.pid}-${threadId}`
    fs.mkdirSync(cache, { recursive: true })
    fs.writeFileSync(temporary, code)
    fs.renameSync(temporary, compiled)
    return code
  }
}

function compile(source, file) {
  // Loaded here, so that what finds all in the cache does not pay for it.
  const { transformSync } = require('@swc/core')
  const { code } = transformSync(source, {
    filename: file,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  })
  return code
}
