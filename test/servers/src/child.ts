/**
 * A server as a process of ours.
 */

import { spawn } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hear, type Life, type Recipe } from './life'
import { unwatch, watch } from './reaper'

const pollMs = 5
const stopDeadlineMs = 2_000

export async function beginChild(program: string, recipe: Recipe, hear: Hear): Promise<Life> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, recipe.args, {
    env: { PATH, HOME, ...recipe.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', hear)
  }
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const { pid } = await new Promise<typeof child>((resolve, reject) => {
    child.once('spawn', () => resolve(child)).once('error', reject)
  })
  if (pid === undefined) throw new Error(`${program} has no process id`)
  watch(pid)
  void ended.then(() => unwatch(pid))
  return {
    pid,
    ended,
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    signal: async (signal) => {
      child.kill(signal)
      if (signal === 'SIGSTOP') await untilStopped(pid)
    },
  }
}

/** A signal is sent, not obeyed: for a moment threads of the server still answer. */
async function untilStopped(pid: number): Promise<void> {
  // Elsewhere than on Linux that moment is all there is to wait for.
  const tasks = () => readdir(`/proc/${pid}/task`).catch(() => [])
  const isMoving = async (task: string) => {
    const stat = await readFile(`/proc/${pid}/task/${task}/stat`, 'utf8').catch(() => ') T')
    return !/\) [TtZX]/.test(stat)
  }
  // Someone else may let it go on meanwhile.
  const deadline = Date.now() + stopDeadlineMs
  while (Date.now() < deadline) {
    const moving = await Promise.all((await tasks()).map(isMoving))
    if (!moving.includes(true)) return
    await sleep(pollMs)
  }
}
