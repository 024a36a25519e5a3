/** Jest's globalSetup: what tests leave in the system's temporary folder is in one of its own, which goes with the run. */

const { chmodSync, mkdtempSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

module.exports = () => {
  // Short: the paths of sockets are.
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'ei-'))
  // Whether a file is for its owner alone is its own affair, as in the system's folder.
  chmodSync(process.env.TMPDIR, 0o755)
}
