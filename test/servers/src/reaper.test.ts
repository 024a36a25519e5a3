import { transformFileSync } from '@swc/core'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

// Started by a process of its own, which can be killed.
const program = (reaper: string) => `
  const { watch, unwatch } = require(${JSON.stringify(reaper)})
  const { spawn } = require('node:child_process')
  const [ended, left] = [spawn('sleep', ['60']), spawn('sleep', ['60'], { detached: true })]
  watch(ended.pid), watch(left.pid), unwatch(ended.pid)
  ended.kill()
  console.log(left.pid)
  setInterval(() => undefined, 1000)`

test('child processes end with their parent, even when it is killed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'einvoicing-reaper-'))
  const reaper = path.join(folder, 'reaper.js')
  const { code } = transformFileSync(path.join(__dirname, 'reaper.ts'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  })
  await writeFile(reaper, code)
  const child = spawn(process.execPath, ['-e', program(reaper)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = await new Promise<number>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(String(chunk))))
  })
  expect(isAlive(pid)).toBe(true)
  child.kill('SIGKILL')
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20))
  await rm(folder, { recursive: true })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
