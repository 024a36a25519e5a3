/** Jest's globalSetup: what tests leave in the system's temporary folder is in one of its own, removed after the run. */

const { chmodSync, mkdtempSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStacks } = require('../stack/per-run/stacks-process')

module.exports = async () => {
  // Short: the paths of sockets are.
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'ei-'))
  // Tests assert the modes of files, so the folder must not be stricter than the system's.
  chmodSync(process.env.TMPDIR, 0o755)
  await startStacks()
}
