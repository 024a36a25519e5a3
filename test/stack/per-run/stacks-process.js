const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')

const hook = join(__dirname, '../../unbuilt/hook.cjs')
let stacks

/** Costs a process that waits; stacks are started when tests need them. */
async function startStacks() {
  // Short: the paths of sockets are.
  process.env.SHARED_STACKS = join(process.env.TMPDIR, 'stacks.sock')
  stacks = fork(join(__dirname, 'main.ts'), [process.env.SHARED_STACKS], {
    execArgv: ['--require', hook],
  })
  await once(stacks, 'message')
}

async function stopStacks() {
  if (stacks?.connected !== true) return
  const ended = once(stacks, 'exit')
  stacks.disconnect()
  await ended
}

module.exports = { startStacks, stopStacks }
