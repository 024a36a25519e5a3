/**
 * Starts the files first that take longest: one that begins last and takes a minute leaves the other workers idle.
 * Tests that kill processes (`test/faults`) are spread over the run: side by side they would run out of time.
 * `WRITE_DURATIONS=1 npm test` writes `durations.json`, in seconds.
 */

const { relative } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')
const durations = require('./durations.json')

// Of a file that is not listed: it takes less than ten seconds.
const briefSeconds = 3

class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path, context }) =>
      durations[relative(context.config.rootDir, path)] ?? briefSeconds
    const killsProcesses = ({ context }) => context.config.displayName?.name === 'faults'
    const sorted = super.sort(tests).sort((one, other) => seconds(other) - seconds(one))
    const killing = { tests: sorted.filter(killsProcesses) }
    const others = { tests: sorted.filter((test) => !killsProcesses(test)) }
    for (const list of [killing, others]) {
      list.seconds = list.tests.reduce((sum, test) => sum + seconds(test), 0)
      list.begun = 0
    }
    return sorted.map(() => {
      const list = isBehind(killing, others) ? killing : others
      const test = list.tests.shift()
      list.begun += seconds(test)
      return test
    })
  }
}

/** Whether less of it has begun, as a part of its whole. */
function isBehind(one, other) {
  if (one.tests.length === 0) return false
  if (other.tests.length === 0) return true
  return one.begun * other.seconds <= other.begun * one.seconds
}

module.exports = LongestFirst
