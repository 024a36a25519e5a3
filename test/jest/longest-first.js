/**
 * Starts the files first that take longest: one that begins last and takes a minute leaves the other workers idle.
 * Files that use services precede them: between two users far apart the services would wait, or end and start again.
 * Tests that kill processes (`test/faults`) are spread over the run: side by side they would run out of time.
 * `WRITE_DURATIONS=1 npm test` writes `durations.json`, in seconds.
 */

const { readFileSync } = require('node:fs')
const { relative } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')
const durations = require('./durations.json')

// Of a file that is not listed: it takes less than ten seconds.
const briefSeconds = 3

const borrows = /\b(onEveryOwnStack|onEveryStackAndWire|borrowServices)\(/
const shares = /\bonEveryStack\(/

class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests).sort((one, other) => seconds(other) - seconds(one))
    const lists = { killing: [], borrowing: [], sharing: [], others: [] }
    for (const test of sorted) lists[findList(test)].push(test)
    // Side by side, files that borrow services would each need a set of them.
    const onServices = spread(lists.borrowing, lists.sharing)
    return spread(lists.killing, [...onServices, ...lists.others])
  }
}

function findList({ path, context }) {
  if (context.config.displayName?.name === 'faults') return 'killing'
  const source = readFileSync(path, 'utf8')
  if (borrows.test(source)) return 'borrowing'
  return shares.test(source) ? 'sharing' : 'others'
}

function seconds({ path, context }) {
  return durations[relative(context.config.rootDir, path)] ?? briefSeconds
}

/** Both in their order, so that at any time as large a part of one as of the other has begun. */
function spread(one, other) {
  const lists = [one, other].map((tests) => ({
    tests: [...tests],
    seconds: tests.reduce((sum, test) => sum + seconds(test), 0),
    begun: 0,
  }))
  return [...one, ...other].map(() => {
    const list = isBehind(...lists) ? lists[0] : lists[1]
    const test = list.tests.shift()
    list.begun += seconds(test)
    return test
  })
}

/** Whether less of it has begun, as a part of its whole. */
function isBehind(one, other) {
  if (one.tests.length === 0) return false
  if (other.tests.length === 0) return true
  return one.begun * other.seconds <= other.begun * one.seconds
}

module.exports = LongestFirst
