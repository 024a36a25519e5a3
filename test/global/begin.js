/** Jest's globalSetup: what tests leave in the system's temporary folder is in one of its own, removed after the run. */

const { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, statfsSync } = require('node:fs')
const { release, tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStacks } = require('../stack/per-run/stacks-process')

const memory = '/dev/shm'
const neededBytes = 8 * 1024 ** 3
// Where versitygw can store what it knows of an object, in attributes of its file.
const leastLinux = [6, 6]

module.exports = async () => {
  // Short: the paths of sockets are.
  process.env.TMPDIR = mkdtempSync(join(findParent(), 'ei-'))
  // Tests assert the modes of files, so the folder must not be stricter than the system's.
  chmodSync(process.env.TMPDIR, 0o755)
  process.env.TEST_OUTPUT = join(process.env.TMPDIR, 'output')
  mkdirSync(process.env.TEST_OUTPUT)
  await startStacks()
}

/** Every write of a store waits for the disk, which took most of the time: decision 0108. A TMPDIR that is set is obeyed. */
function findParent() {
  if (process.env.TMPDIR || !hasMemory()) return tmpdir()
  return memory
}

function hasMemory() {
  const [major, minor] = release().split('.').map(Number)
  if (major < leastLinux[0] || (major === leastLinux[0] && minor < leastLinux[1])) return false
  try {
    accessSync(memory, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}
