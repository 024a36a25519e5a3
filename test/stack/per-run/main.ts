/**
 * Starts each stack that test files use when the first of them needs it, and ends all when Jest
 * does. A program of its own: it can wait for the ends, however Jest itself ends.
 */

import { createServer, type ServerResponse } from 'node:http'
import { startServices } from '../services'
import type { Stack } from '../stack'
import { startStandalone } from '../standalone'
import type { StackKind } from './shared-stack'

const starters: Record<StackKind, () => Promise<Stack>> = {
  standalone: () => startStandalone(),
  'standalone with gRPC': () => startStandalone({ wire: 'grpc' }),
  services: () => startServices(),
}
const started: Promise<Stack>[] = []

interface Shared {
  stack: Promise<Stack>
  users: number
  ending?: NodeJS.Timeout
}
const shared = new Map<StackKind, Shared>()

interface Idle {
  stack: Stack
  ending: NodeJS.Timeout
}
const idle = new Map<StackKind, Idle[]>()
// By then one that waits has used as much CPU as a start: 4 s, and 1.3 s of one process.
const endIdleAfterMs: Record<StackKind, number> = {
  standalone: 150_000,
  'standalone with gRPC': 150_000,
  services: 60_000,
}

function start(kind: StackKind): Promise<Stack> {
  const stack = starters[kind]()
  started.push(stack)
  return stack
}

function share(kind: StackKind, response: ServerResponse): Promise<Stack> {
  const open = shared.get(kind) ?? { stack: start(kind), users: 0 }
  shared.set(kind, open)
  open.users += 1
  clearTimeout(open.ending)
  response.once('close', () => {
    open.users -= 1
    if (open.users > 0) return
    open.ending = setTimeout(() => {
      shared.delete(kind)
      void endIdle(kind, open.stack)
    }, endIdleAfterMs[kind])
  })
  return open.stack
}

/** For one file alone, until its request ends; then the next file gets it. */
async function lend(kind: StackKind, response: ServerResponse): Promise<Stack> {
  const spare = idle.get(kind)?.pop()
  clearTimeout(spare?.ending)
  const stack = spare?.stack ?? (await start(kind))
  if (response.destroyed) giveBack(kind, stack)
  else response.once('close', () => giveBack(kind, stack))
  return stack
}

function giveBack(kind: StackKind, stack: Stack): void {
  const ending = setTimeout(() => {
    const others = (idle.get(kind) ?? []).filter((one) => one.stack !== stack)
    idle.set(kind, others)
    void endIdle(kind, stack)
  }, endIdleAfterMs[kind])
  idle.set(kind, [...(idle.get(kind) ?? []), { stack, ending }])
}

async function endIdle(kind: StackKind, stack: Stack | Promise<Stack>): Promise<void> {
  try {
    await (await stack).dispose()
  } catch (error) {
    process.stderr.write(`An idle stack (${kind}) did not end: ${String(error)}\n`)
  }
}

const server = createServer(({ url = '' }, response) => {
  const [, way, name = ''] = url.split('/').map(decodeURIComponent)
  if (!isKind(name)) {
    response.writeHead(404).end()
    return
  }
  const opened = way === 'lent' ? lend(name, response) : share(name, response)
  opened.then(
    (stack) => response.write(`${JSON.stringify(stack)}\n`),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

function isKind(name: string): name is StackKind {
  return name in starters
}

async function end(): Promise<void> {
  const ends = started.map((stack) =>
    stack.then(
      (running) => running.dispose(),
      () => undefined,
    ),
  )
  await Promise.all(ends)
  process.exit()
}

// Jest ends however it ends: its channel closes.
process.once('disconnect', () => void end())
process.on('SIGINT', () => undefined)
server.listen(process.argv[2], () => process.send?.('listening'))
