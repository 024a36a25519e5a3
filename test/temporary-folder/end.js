/** Jest's globalTeardown. */

const { rmSync } = require('node:fs')

module.exports = () => {
  try {
    rmSync(process.env.TMPDIR, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  } catch {
    // A process that was left behind is still writing: no reason to fail a run.
  }
}
