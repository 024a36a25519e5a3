const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const { clearTimeout, setTimeout } = require('node:timers')

const hook = join(__dirname, '../../unbuilt/hook.cjs')
const endWithinMs = 120_000
let stacks

/** Costs a process that waits; stacks are started when tests need them. */
async function startStacks() {
  // Short: the paths of sockets are.
  process.env.SHARED_STACKS = join(process.env.TMPDIR, 'stacks.sock')
  stacks = fork(join(__dirname, 'main.ts'), [process.env.SHARED_STACKS], {
    execArgv: [...process.execArgv, '--require', hook],
  })
  const [first] = await Promise.race([once(stacks, 'message'), once(stacks, 'exit')])
  if (first !== 'listening') throw new Error(`test/stack/per-run/main.ts ended: ${first}`)
}

async function stopStacks() {
  if (stacks?.connected !== true) return
  const ended = once(stacks, 'exit')
  stacks.disconnect()
  const cut = setTimeout(() => stacks.kill('SIGKILL'), endWithinMs)
  await ended
  clearTimeout(cut)
}

module.exports = { startStacks, stopStacks }
