/**
 * Jest reporter: the last line of a run, `N passed, N failed`, with `, N skipped` when some were.
 *
 * A suite that could not even start counts as failed, and so does each other stage of `test/all.sh` that failed: STAGES
 * is the folder where they say so, when all are done, with a line for each that could not be done. Under CI a skipped test fails the run: there everything a test needs can be installed.
 */

const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { join, relative } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { readLoggedMeanwhile } = require('./jest/logged-meanwhile')

const root = join(__dirname, '..')
const cache = join(root, '.cache')

class TallyReporter {
  onTestResult(_test, { testResults }) {
    for (const { status, fullName, startAt, duration } of testResults) {
      if (status !== 'failed' || !startAt) continue
      const lines = readLoggedMeanwhile({ from: startAt, to: startAt + (duration ?? 0) })
      if (lines.length === 0) continue
      console.log(`logged during ${fullName}:\n${lines.join('\n')}`)
    }
  }

  async onRunComplete(_contexts, results) {
    const stages = await readStages(process.env.STAGES)
    const failedStages = stages.failed.split('\n').filter(Boolean)
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + failedStages.length
    const skipped = results.numPendingTests + results.numTodoTests
    const tally = `${results.numPassedTests} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

    this.refusesSkipped = Boolean(process.env.CI) && skipped > 0
    if (stages.output) console.log(stages.output)
    for (const name of skippedTests(results)) console.log(`skipped: ${name}`)
    for (const stage of failedStages) console.log(`failed: npm run ${stage}`)
    if (this.refusesSkipped) console.log('Under CI a skipped test is a failure.')
    mkdirSync(cache, { recursive: true })
    if (process.env.WRITE_DURATIONS) writeDurations(results)
    writeFileSync(join(cache, 'tally'), `${tally}\n`)
    // Jest's own summary comes after every reporter; ours is to be the last line.
    process.once('exit', () => process.stdout.write(`\n${stages.notDone}${tally}\n`))
  }

  /** Jest exits with a code other than 0 when a reporter returns an error. */
  getLastError() {
    return this.refusesSkipped ? new Error('tests were skipped under CI') : undefined
  }
}

/** Waits for all of them. */
async function readStages(folder) {
  if (!folder) return { failed: '', notDone: '', output: '' }
  while (!existsSync(join(folder, 'done'))) await delay(200)
  const read = (name) => readFileSync(join(folder, name), 'utf8')
  return { failed: read('failed'), notDone: read('not-done'), output: read('output').trimEnd() }
}

/** For the order of the next runs (test/jest/longest-first.js). */
function writeDurations({ testResults }) {
  const longest = testResults
    .map(({ testFilePath, perfStats }) => [
      relative(root, testFilePath),
      Math.round(perfStats.runtime / 1000),
    ])
    .filter(([, seconds]) => seconds >= 10)
    .sort(([, one], [, other]) => other - one)
  const text = JSON.stringify(Object.fromEntries(longest), undefined, 2)
  writeFileSync(join(__dirname, 'jest/durations.json'), `${text}\n`)
}

function skippedTests(results) {
  return results.testResults.flatMap((file) =>
    file.testResults
      .filter(({ status }) => status === 'pending' || status === 'todo')
      .map(({ fullName }) => `${relative(root, file.testFilePath)}: ${fullName}`),
  )
}

module.exports = TallyReporter
