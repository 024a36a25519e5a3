/**
 * What processes under test logged while a test failed: a failure that does not come again can only be understood from
 * it. `test/stack/service-process.ts` writes what they print to the folder OUTPUT; services also have their own logs.
 */

const { existsSync, readFileSync, readdirSync } = require('node:fs')
const { join } = require('node:path')

const linesMax = 20
const lineLength = 1_500

/** `from` and `to` in milliseconds since the epoch. */
function readLoggedMeanwhile({ from, to }) {
  const lines = listLogs().flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  return lines
    .filter((line) => {
      const at = readTime(line)
      return at >= from && at <= to
    })
    .slice(-linesMax)
    .map((line) => line.slice(0, lineLength))
}

function listLogs() {
  const list = (folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
  const ofServices = list(process.env.TMPDIR).map((folder) => join(folder, 'logs'))
  return [process.env.OUTPUT, ...ofServices].flatMap(list)
}

function readTime(line) {
  return Date.parse(/"time":"([^"]+)"/.exec(line)?.[1] ?? '')
}

module.exports = { readLoggedMeanwhile }
