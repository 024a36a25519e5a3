/**
 * Threads and child processes that unbuilt code starts run unbuilt sources too: Jest's transformer does
 * not reach into them. The code that starts `worker.js` beside itself gets `worker.ts` where only that exists.
 * One of Jest's `setupFiles`, and loaded by the hook for what its process starts in turn.
 */

const childProcess = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const threads = require('node:worker_threads')

const hook = ['--require', path.join(__dirname, 'hook.cjs')]
const isPatched = Symbol.for('einvoicing.unbuilt')

function findUnbuilt(file) {
  if (typeof file !== 'string' || !path.isAbsolute(file) || !file.endsWith('.js')) return file
  const source = file.replace(/\.js$/, '.ts')
  return !fs.existsSync(file) && fs.existsSync(source) ? source : file
}

// All test files of one Jest process share Node's own modules.
if (!threads[isPatched]) {
  threads[isPatched] = true
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(file, options = {}) {
      super(findUnbuilt(file), { ...options, execArgv: [...(options.execArgv ?? []), ...hook] })
    }
  }
  const { fork } = childProcess
  childProcess.fork = (file, args = [], options = {}) => {
    const [words, settings] = Array.isArray(args) ? [args, options] : [[], args]
    const execArgv = [...(settings.execArgv ?? process.execArgv), ...hook]
    return fork(findUnbuilt(file), words, { ...settings, execArgv })
  }
}

module.exports = { findUnbuilt }
