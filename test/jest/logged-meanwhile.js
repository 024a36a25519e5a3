/**
 * What processes under test logged while a test failed: a failure that does not come again can only be understood from
 * it. `test/stack/service-process.ts` writes what they print to the folder TEST_OUTPUT; services also have their own logs.
 */

const { closeSync, fstatSync, openSync, readdirSync, readSync } = require('node:fs')
const { join } = require('node:path')

const linesMax = 20
const lineLength = 1_500
const bytesMax = 4 * 1024 * 1024

/** `from` and `to` in milliseconds since the epoch. */
function readLoggedMeanwhile({ from, to }) {
  return listLogs()
    .flatMap((file) => readEnd(file).split('\n'))
    .map((line) => ({ line, at: readTime(line) }))
    .filter(({ at }) => at >= from && at <= to)
    .sort((one, other) => one.at - other.at)
    .slice(-linesMax)
    .map(({ line }) => line.slice(0, lineLength))
}

function listLogs() {
  const ofServices = list(process.env.TMPDIR).map((folder) => join(folder, 'logs'))
  return [process.env.TEST_OUTPUT, ...ofServices].flatMap(list)
}

/** Other files remove their folders meanwhile. */
function list(folder) {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}

function readEnd(file) {
  try {
    const opened = openSync(file)
    try {
      const { size } = fstatSync(opened)
      const bytes = Buffer.alloc(Math.min(size, bytesMax))
      readSync(opened, bytes, 0, bytes.length, size - bytes.length)
      return bytes.toString()
    } finally {
      closeSync(opened)
    }
  } catch {
    return ''
  }
}

function readTime(line) {
  return Date.parse(/"time":"([^"]+)"/.exec(line)?.[1] ?? '')
}

module.exports = { readLoggedMeanwhile }
