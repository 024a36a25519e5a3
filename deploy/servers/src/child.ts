/**
 * A server as a process of ours.
 */

import { spawn } from 'node:child_process'
import { type Hear, type Life, type Recipe } from './life'
import { unwatch, watch } from './reaper'

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
    signal: async (signal) => void child.kill(signal),
  }
}
