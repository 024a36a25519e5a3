/** Jest's globalTeardown. */

const { rmSync } = require('node:fs')
const { stopStacks } = require('../stack/per-run/stacks-process')

module.exports = async () => {
  await stopStacks()
  try {
    rmSync(process.env.TMPDIR, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  } catch {
    // A process that was left behind is still writing: no reason to fail a run.
  }
}
