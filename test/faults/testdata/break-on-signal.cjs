/**
 * Loaded before a process under test: at SIGUSR2 it breaks what BREAK names, from inside and without
 * a word of warning, as a defect or a crash would.
 */

const path = require('node:path')
const threads = require('node:worker_threads')

const what = process.env.BREAK
const started = []

function breakIt() {
  if (what === 'exception') process.nextTick(throwDefect)
  else if (what === 'rejection') void Promise.reject(new Error('a rejection of the test'))
  else {
    const named = started.filter(({ file }) => path.basename(file) === what)
    for (const { worker } of named) void worker.terminate()
  }
}

function throwDefect() {
  throw new Error('an exception of the test')
}

if (threads.isMainThread) {
  threads.Worker = class extends threads.Worker {
    constructor(file, options) {
      super(file, options)
      started.push({ file: String(file), worker: this })
    }
  }
  process.on('SIGUSR2', breakIt)
}
