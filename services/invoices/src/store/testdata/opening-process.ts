import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { runUnbuilt } from '@einvoicing/servers/unbuilt'

const script = path.join(__dirname, 'open-store.ts')

/**
 * Opens the store in a process of its own and kills that with SIGKILL once `isReached`. Throws with
 * its output when it ends before, or after 60 s.
 */
export async function openAndKill(
  store: readonly ['mongodb' | 'sqlite', string],
  isReached: () => boolean | Promise<boolean>,
): Promise<void> {
  const child = spawn(process.execPath, [...runUnbuilt(script), ...store])
  const exit = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const deadline = Date.now() + 60_000
  try {
    while (!(await isReached())) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`the process has ended by itself (${child.exitCode}):\n${output}`)
      }
      if (Date.now() > deadline) throw new Error(`not reached in 60 s:\n${output}`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  } finally {
    child.kill('SIGKILL')
    await exit
  }
}
