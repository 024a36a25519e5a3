/**
 * Ends what we started when we are gone, even by SIGKILL: a small shell reads the ids of our
 * children from a pipe, and when the pipe closes it ends those that are left.
 */

import { type ChildProcess, spawn } from 'node:child_process'

const script = `
pids=
while read -r sign pid; do
  if [ "$sign" = + ]; then pids="$pids $pid "
  else pids=$(echo "$pids" | sed "s/ $pid / /"); fi
done
[ -z "$(echo $pids)" ] || kill -9 $pids 2>/dev/null
`

const watched = new Set<number>()
let shell: ChildProcess | undefined

export function watch(pid: number): void {
  if (watched.size === 0) shell = startShell()
  watched.add(pid)
  shell?.stdin?.write(`+ ${pid}\n`)
}

export function unwatch(pid: number): void {
  if (!watched.delete(pid)) return
  shell?.stdin?.write(`- ${pid}\n`)
  if (watched.size === 0) shell?.stdin?.end()
}

function startShell(): ChildProcess {
  // In a session of its own, so that Ctrl-C reaches us and not the one who cleans up after us.
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  child.stdin.on('error', () => undefined)
  child.unref()
  return child
}
