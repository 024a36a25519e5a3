/**
 * Starts the files first that take longest: one that begins last and takes a minute leaves the other workers idle.
 * `WRITE_DURATIONS=1 npm test` writes `durations.json`, in seconds.
 */

const { relative } = require('node:path')
const { default: Sequencer } = require('@jest/test-sequencer')
const durations = require('./durations.json')

class LongestFirst extends Sequencer {
  sort(tests) {
    const seconds = ({ path, context }) => durations[relative(context.config.rootDir, path)] ?? 0
    return super.sort(tests).sort((one, other) => seconds(other) - seconds(one))
  }
}

module.exports = LongestFirst
